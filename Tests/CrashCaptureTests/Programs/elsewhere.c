/* SPDX-License-Identifier: Apache-2.0 */
/* Crashes on other machines and with other C libraries: elsewhere WAY [STORAGE]. With a storage it installs the handlers
   itself. Each way's last functions have names of their own. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef LINKED
#include "vaka_crash.h"
#endif

#define OWN_FRAME __attribute__((noinline, noclone))

typedef int (*function)(int);

static volatile int *volatile nothing;
static volatile function no_function;

OWN_FRAME static int write_null(int value) {
    nothing[2] = value;
    return nothing[3] + 1;
}

OWN_FRAME static int call_null(int value) {
    return no_function(value) + 1;
}

OWN_FRAME static int give_up(int value) {
    if (value > 0)
        abort();
    return value;
}

OWN_FRAME static int run_undefined(int value) {
#if defined(__aarch64__)
    __asm__ volatile("udf #0");
#else
    __asm__ volatile("ud2");
#endif
    return value + 1;
}

OWN_FRAME static int run_breakpoint(int value) {
#if defined(__aarch64__)
    __asm__ volatile("brk #1");
#else
    __asm__ volatile("int3");
#endif
    return value + 1;
}

OWN_FRAME static int send_itself(int value) {
    return raise(SIGSEGV) + value;
}

OWN_FRAME static int recurse(volatile char *before, int depth) {
    volatile char space[512];
    space[depth & 511] = before[depth & 511];
    return recurse(space, depth + 1) + space[3];
}

OWN_FRAME static int overflow(int value) {
    volatile char space[512] = {1};
    return recurse(space, value) + 1;
}

/* Where a callback of libc crashes, the C library's frames lie in between. */
OWN_FRAME static int compare(const void *left, const void *right) {
    return *(const int *)left - *(const int *)right + write_null(3);
}

OWN_FRAME static int sort(int value) {
    int numbers[] = {3, 1, 2, value};
    qsort(numbers, 4, sizeof(numbers[0]), compare);
    return numbers[0];
}

static const struct {
    const char *name;
    function run;
} ways[] = {
    {"null-write", write_null},     {"call-null", call_null}, {"abort", give_up},     {"undefined", run_undefined},
    {"breakpoint", run_breakpoint}, {"raise", send_itself},   {"overflow", overflow}, {"callback", sort},
};

OWN_FRAME static int run_way(const char *name) {
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        if (strcmp(ways[i].name, name) == 0)
            return ways[i].run(7) + 1;
    }
    return 98;
}

static void *on_thread(void *name) {
    return run_way(name) == 0 ? NULL : name;
}

OWN_FRAME static int run_on_thread(char *name) {
    pthread_t thread;
    void *result;
    if (pthread_create(&thread, NULL, on_thread, name) != 0 || pthread_join(thread, &result) != 0)
        return 97;
    return result == NULL;
}

int main(int count, char **arguments) {
    if (count < 2)
        return 98;
#ifdef LINKED
    vaka_crash_config config = {.size = sizeof(config), .storage = count > 2 ? arguments[2] : NULL};
    if (getenv("VAKA_MEMORY_POINTERS_ONLY") != NULL)
        config.flags |= VAKA_CRASH_POINTERS_ONLY;
    if (vaka_crash_install(&config) != 0) {
        fprintf(stderr, "%s\n", vaka_crash_last_error());
        return 3;
    }
    vaka_crash_set_tag("colour", "blue");
#endif
    static const char prefix[] = "thread-";
    size_t length = sizeof(prefix) - 1;
    if (strncmp(arguments[1], prefix, length) == 0)
        return run_on_thread(arguments[1] + length);
    int status = run_way(arguments[1]);
    return status + count - 2;
}
