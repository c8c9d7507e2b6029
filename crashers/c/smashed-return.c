/* SPDX-License-Identifier: Apache-2.0 */
/* Copies a name that is longer than its buffer over its own return address. */
#include <stdio.h>
#include <string.h>

static const char request[] = "NAME AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

__attribute__((noinline)) static int read_name(const volatile char *text) {
    volatile char name[16];
    int length = 0;
    for (; text[length] != '\0'; length++)
        name[length] = text[length];
    return name[0] + length;
}

__attribute__((noinline)) static int parse_request(const char *text) {
    int name = read_name(text + 5);
    return name * 2;
}

__attribute__((noinline)) static int serve_connection(const char *text) {
    volatile int parsed[20] = {0};
    parsed[3] = parse_request(text);
    return parsed[3] + parsed[4];
}

int main(void) {
    int served = serve_connection(request);
    printf("served %d\n", served);
    return 0;
}
