/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a constant into upper case in place. */
#include <stdio.h>

__attribute__((noinline)) static int upper_case(volatile char *text) {
    int changed = 0;
    for (; *text != '\0'; text++, changed++)
        *text = *text & 0x5f;
    return changed;
}

__attribute__((noinline)) static int print_title(char *title) {
    int changed = upper_case(title);
    printf("%s\n", title);
    return changed;
}

int main(void) {
    char copy[] = "report", *volatile constant = (char *)"summary";
    int changed = print_title(copy);
    changed += print_title(constant);
    return changed == 0;
}
