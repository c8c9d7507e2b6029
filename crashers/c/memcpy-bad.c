/* SPDX-License-Identifier: Apache-2.0 */
/* Copies more of a message than there is. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

struct message {
    const char *data;
    size_t declared;
};

static char copy[65536];

__attribute__((noinline)) static size_t take_message(const volatile struct message *message) {
    memcpy(copy, message->data, message->declared);
    return message->declared;
}

__attribute__((noinline)) static size_t take_all(const struct message *messages, int count) {
    size_t taken = 0;
    for (int i = 0; i < count; i++)
        taken += take_message(&messages[i]);
    return taken;
}

int main(void) {
    char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(page + 4096, 4096);
    struct message messages[] = {{page, 100}, {page, 60000}};
    size_t taken = take_all(messages, 2);
    printf("%zu\n", taken);
    return 0;
}
