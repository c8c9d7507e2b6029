// SPDX-License-Identifier: Apache-2.0
// crash STORAGE: five threads, some deep, of which one crashes with more than 64 KiB of its stack in use and 20 breadcrumbs.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vaka_crash.h>

enum { WAITING_DEPTH = 6, CRASHING_DEPTH = 11, PAYLOAD = 6000 };

static pthread_barrier_t ready;

// What lies on stacks: words, numbers and addresses.
static void fill(char *buffer, int size, int seed) {
    static const char words[] = "request session token header reply cursor account invoice ";
    for (int at = 0; at < size; at += 16) {
        if (at / 16 % 3 == 0)
            memcpy(buffer + at, words + (at + seed) % 40, 16);
        else
            snprintf(buffer + at, 16, "%p", (void *)(buffer + at * seed % 4096));
    }
}

static int __attribute__((noinline)) wait_below(int depth) {
    if (depth > 0)
        return wait_below(depth - 1) + 1;
    pthread_barrier_wait(&ready);
    pause();
    return 0;
}

static void *waiter(void *argument) {
    wait_below(WAITING_DEPTH);
    return argument;
}

static int __attribute__((noinline)) crash_below(int depth, volatile int *target) {
    char payload[PAYLOAD];
    fill(payload, (int)sizeof payload, depth + 1);
    if (depth > 0)
        return crash_below(depth - 1, target) + payload[depth];
    pthread_barrier_wait(&ready);
    *target = payload[0];
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    vaka_crash_config config = {.size = sizeof config,
                                .storage = argv[1],
                                .release = "shop@1.4.2",
                                .environment = "production",
                                .stack_bytes = 65536};
    if (vaka_crash_install(&config) != 0)
        return 3;
    vaka_crash_set_tag("region", "eu-1");
    vaka_crash_set_tag("plan", "large");
    vaka_crash_set_user("user-1881");
    for (int number = 0; number < 20; number++) {
        char message[64];
        snprintf(message, sizeof message, "GET /invoices/%d 200", 4711 + 13 * number);
        vaka_crash_add_breadcrumb(VAKA_CRASH_LEVEL_INFO, "http", message, "{\"milliseconds\":12}");
    }
    pthread_barrier_init(&ready, NULL, 5);
    for (int number = 0; number < 4; number++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, waiter, NULL) != 0)
            return 4;
    }
    return crash_below(CRASHING_DEPTH, NULL);
}
