/* SPDX-License-Identifier: Apache-2.0 */
/* Calls a plug-in's entry that was read from a file as data. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*entry)(int version);

__attribute__((noinline)) static void *load_plugin(void) {
    void *image = malloc(4096);
    memset(image, 0xc3, 4096);
    return image;
}

__attribute__((noinline)) static int start_plugin(void *image) {
    entry start = (entry)image;
    int started = start(2);
    return started + 1;
}

__attribute__((noinline)) static int start_plugins(int count) {
    int started = 0;
    for (int i = 0; i < count; i++)
        started += start_plugin(load_plugin());
    return started;
}

int main(void) {
    int started = start_plugins(2);
    printf("%d\n", started);
    return 0;
}
