/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a mapped index whose file was cut meanwhile. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((noinline)) static volatile char *map_index(FILE *file) {
    if (ftruncate(fileno(file), 8192) != 0)
        exit(1);
    void *index = mmap(NULL, 8192, PROT_READ, MAP_SHARED, fileno(file), 0);
    if (index == MAP_FAILED || ftruncate(fileno(file), 0) != 0)
        exit(1);
    return index;
}

__attribute__((noinline)) static int read_entry(const volatile char *index, int number) {
    return index[number * 64] + 1;
}

__attribute__((noinline)) static int search_index(FILE *file) {
    const volatile char *index = map_index(file);
    int found = 0;
    for (int i = 0; i < 8; i++)
        found += read_entry(index, i);
    return found;
}

int main(void) {
    int found = search_index(tmpfile());
    printf("%d\n", found);
    return 0;
}
