/* SPDX-License-Identifier: Apache-2.0 */
/* A C program that catches its crashes: program STORAGE [crash]. */
#include <stdio.h>
#include <string.h>
#include <vaka_crash.h>

static int length_of(const char *text) {
    return (int)strlen(text);
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: program STORAGE [crash]\n");
        return 2;
    }
    vaka_crash_config config = {.size = sizeof(config), .storage = argv[1], .release = "program@1.0"};
    if (vaka_crash_install(&config) != 0)
        fprintf(stderr, "crashes are not caught: %s\n", vaka_crash_last_error());
    vaka_crash_set_tag("example", "c");
    vaka_crash_add_breadcrumb(VAKA_CRASH_LEVEL_INFO, "program", "began", NULL);
    const char *text = argc > 2 ? NULL : "text";
    printf("%d\n", length_of(text));
    return 0;
}
