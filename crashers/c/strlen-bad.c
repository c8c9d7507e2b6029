/* SPDX-License-Identifier: Apache-2.0 */
/* Measures a header whose name was overwritten by a number. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct header {
    const char *name;
    const char *value;
};

__attribute__((noinline)) static size_t header_length(const struct header *header) {
    size_t value = strlen(header->value);
    return strlen(header->name) + value + 2;
}

__attribute__((noinline)) static size_t response_length(const struct header *headers, int count) {
    size_t length = 0;
    for (int i = 0; i < count; i++)
        length += header_length(&headers[i]);
    return length;
}

int main(void) {
    volatile uintptr_t number = 0x1001;
    struct header headers[] = {{"Host", "localhost"}, {(const char *)number, "text/plain"}};
    size_t length = response_length(headers, 2);
    printf("%zu\n", length);
    return 0;
}
