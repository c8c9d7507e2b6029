/* SPDX-License-Identifier: Apache-2.0 */
/* A plug-in for plugins.c that does not survive being loaded. */
#include <stddef.h>

static volatile int *volatile settings;

__attribute__((noinline)) static int read_settings(int number) {
    return settings[number] + 1;
}

static volatile int level;

__attribute__((constructor)) static void set_up(void) {
    level = read_settings(2);
    level = level + 1;
}
