// SPDX-License-Identifier: Apache-2.0
// Twelve functions, each of them inlined into the next, and a call in their midst. An argument more ends it well.
#include <stdio.h>

#define INLINE static inline __attribute__((always_inline))

struct cell {
    struct cell *next;
    volatile int value;
};

INLINE int value_of(const struct cell *cell) {
    return cell->value;
}
INLINE int second(const struct cell *cell) {
    return value_of(cell->next) + 1;
}
INLINE int level_1(const struct cell *cell) {
    return second(cell) * 2;
}
INLINE int level_2(const struct cell *cell) {
    return level_1(cell) + 2;
}
INLINE int level_3(const struct cell *cell) {
    return level_2(cell) ^ 3;
}

__attribute__((noinline)) static int middle(const struct cell *cell) {
    int found = level_3(cell) + 4;
    __asm__ volatile("" ::: "memory");
    return found;
}

INLINE int level_5(const struct cell *cell) {
    return middle(cell) - 5;
}
INLINE int level_6(const struct cell *cell) {
    return level_5(cell) * 6;
}
INLINE int level_7(const struct cell *cell) {
    return level_6(cell) + 7;
}
INLINE int level_8(const struct cell *cell) {
    return level_7(cell) ^ 8;
}

int main(int count, char **arguments) {
    (void)arguments;
    struct cell last = {NULL, 3}, first = {count > 1 ? &last : NULL, 2};
    __asm__ volatile("" : : "r"(&first) : "memory");
    int found = level_8(&first);
    printf("%d\n", found);
    return 0;
}
