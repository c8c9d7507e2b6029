/* SPDX-License-Identifier: Apache-2.0 */
/* Links libvakacrash.a, installs the handlers itself, leaves breadcrumbs, a tag and a user, then crashes. */
#include <stdio.h>
#include <stdlib.h>
#include <vaka_crash.h>

__attribute__((noinline)) static int install_handlers(void) {
    vaka_crash_config config = {
        .size = sizeof(config), .storage = getenv("VAKA_STORAGE"), .release = "linked@1.0.0", .environment = "test"};
    if (vaka_crash_install(&config) != 0) {
        fprintf(stderr, "%s\n", vaka_crash_last_error());
        return 0;
    }
    vaka_crash_set_tag("component", "importer");
    vaka_crash_set_user("user-17");
    return 1;
}

__attribute__((noinline)) static int import_row(const int *volatile *rows, int index) {
    vaka_crash_add_breadcrumb(VAKA_CRASH_LEVEL_INFO, "import", "row", NULL);
    const volatile int *row = rows[index];
    return *row + index;
}

__attribute__((noinline)) static int import_table(const int *volatile *rows, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += import_row(rows, i);
    return sum;
}

int main(void) {
    static const int one = 1, two = 2;
    const int *volatile rows[] = {&one, &two, NULL};
    if (!install_handlers())
        return 1;
    int sum = import_table(rows, 3);
    printf("%d\n", sum);
    return 0;
}
