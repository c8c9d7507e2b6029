/* SPDX-License-Identifier: Apache-2.0 */
/* Copies a name that is longer than its buffer, which the compiler's stack protector sees. */
#include <stdio.h>

__attribute__((noinline)) static int read_name(const volatile char *text) {
    volatile char name[24];
    int length = 0;
    for (; text[length] != '\0'; length++)
        name[length] = text[length];
    return name[0] + length;
}

__attribute__((noinline)) static int greet(const char *text) {
    int name = read_name(text);
    printf("%d\n", name);
    return name;
}

int main(void) {
    int greeted = greet("Ada Augusta King, Countess");
    return greeted == 0;
}
