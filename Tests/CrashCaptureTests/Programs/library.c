/* SPDX-License-Identifier: Apache-2.0 */
void crash_in_library(void);

void crash_in_library(void) {
    *(volatile int *)8 = 1;
}
