/* SPDX-License-Identifier: Apache-2.0 */
/* Frees a text after having skipped its blanks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static int release_text(char *text) {
    int first = text[0];
    free(text);
    return first;
}

__attribute__((noinline)) static int read_setting(const char *line) {
    char *volatile text = strdup(line);
    while (*text == ' ')
        text++;
    int released = release_text(text);
    return released + 1;
}

int main(void) {
    int settings = read_setting("   port = 80");
    printf("%d\n", settings);
    return 0;
}
