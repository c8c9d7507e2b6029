/* SPDX-License-Identifier: Apache-2.0 */
/* A library that crashes while the dynamic linker starts it. */
static int *volatile nowhere = (int *)8;

int library_version(void);

__attribute__((constructor)) static void start_library(void) {
    *nowhere = 1;
}

int library_version(void) {
    return 3;
}
