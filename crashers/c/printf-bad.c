/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a log line with a name that was never set to anything sensible. */
#include <stdint.h>
#include <stdio.h>

struct user {
    int id;
    const char *name;
};

__attribute__((noinline)) static int log_user(FILE *stream, const struct user *user) {
    int written = fprintf(stream, "user %d is called %s\n", user->id, user->name);
    return written < 0 ? 0 : written;
}

__attribute__((noinline)) static int log_users(const struct user *users, int count) {
    int written = 0;
    for (int i = 0; i < count; i++)
        written += log_user(stdout, &users[i]);
    return written;
}

int main(void) {
    struct user users[] = {{1, "ada"}, {2, (const char *)(uintptr_t)0x2b}};
    int written = log_users(users, 2);
    printf("%d bytes\n", written);
    return 0;
}
