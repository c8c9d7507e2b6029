/* SPDX-License-Identifier: Apache-2.0 */
/* Writes past the end of a block; malloc finds it out later, somewhere else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static volatile char *read_picture(size_t width) {
    volatile char *pixels = malloc(64);
    for (size_t i = 0; i < width; i++)
        pixels[i] = 'p';
    return pixels;
}

__attribute__((noinline)) static int open_gallery(const char *name) {
    char *volatile page = malloc(4000);
    strcpy(page, name);
    return page[0];
}

int main(void) {
    volatile char *picture = read_picture(120);
    int gallery = open_gallery("summer");
    printf("%d %d\n", gallery, picture[0]);
    return 0;
}
