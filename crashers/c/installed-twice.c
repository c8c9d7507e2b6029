/* SPDX-License-Identifier: Apache-2.0 */
/* Two parts of a program install the handlers, each for itself. */
#include <stdlib.h>
#include <vaka_crash.h>

static int *volatile nowhere = (int *)8;

static int install(void) {
    vaka_crash_config config = {.size = sizeof(config), .storage = getenv("VAKA_STORAGE")};
    return vaka_crash_install(&config);
}

__attribute__((noinline)) static int render(int amount) {
    *nowhere += amount;
    return *nowhere + 1;
}

int main(int argc, char **argv) {
    (void)argv;
    if (install() != 0 || install() != 0)
        return 95;
    int rendered = render(argc);
    return rendered & 1;
}
