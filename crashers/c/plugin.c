/* SPDX-License-Identifier: Apache-2.0 */
/* A plug-in for plugins.c. */

__attribute__((noinline)) static int brightest(const volatile int *pixels, int count) {
    int found = 0;
    for (int i = 0; i < count; i++)
        found = pixels[i] > found ? pixels[i] : found;
    return found;
}

int brighten(const int *pixels, int count) {
    int most = brightest(pixels, count);
    return 2 * most;
}
