/* SPDX-License-Identifier: Apache-2.0 */
/* Follows a pointer out of freed memory that now holds a pattern. */
#include <stdint.h>
#include <stdio.h>

struct entry {
    const volatile int *value;
};

__attribute__((noinline)) static int entry_value(const struct entry *entry) {
    return *entry->value + 1;
}

__attribute__((noinline)) static int sum_entries(const struct entry *entries, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += entry_value(&entries[i]);
    return sum;
}

int main(void) {
    volatile uintptr_t pattern = (uintptr_t)0x5a5a5a5a5a5a5a5a;
    int one = 1;
    struct entry entries[] = {{&one}, {(const int *)pattern}};
    int sum = sum_entries(entries, 2);
    printf("%d\n", sum);
    return 0;
}
