// SPDX-License-Identifier: Apache-2.0
// Two functions of equal code, of which the linker keeps one: a crash in it, or in what it calls.
#include <stdio.h>
#include <string.h>

typedef int (*reader)(const int *, int (*)(const int *));

__attribute__((noinline)) static int first_of(const int *numbers) {
    return numbers[0] + 1;
}

__attribute__((noinline)) static int read_apples(const int *numbers, int (*read)(const int *)) {
    if (read)
        return read(numbers) * 3; // of apples
    return numbers[1] - 7; // apples
}

__attribute__((noinline)) static int read_pears(const int *numbers, int (*read)(const int *)) {
    if (read)
        return read(numbers) * 3; // of pears
    return numbers[1] - 7; // pears
}

int main(int count, char **arguments) {
    reader volatile readers[] = {read_apples, read_pears};
    static const int good[] = {1, 2};
    int calls = count > 1 && strcmp(arguments[1], "calls") == 0;
    int apples = readers[0](good, calls ? first_of : NULL);
    int pears = readers[1](NULL, calls ? first_of : NULL);
    printf("%d\n", apples + pears);
    return 0;
}
