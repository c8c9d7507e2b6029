/* SPDX-License-Identifier: Apache-2.0 */
#include "limits.h"
#include "system.h"

#include <stdbool.h>
#include <sys/resource.h>

/* The kernel's struct rlimit64; RLIM64_INFINITY is its largest number. */
struct limit {
    uint64_t soft;
    uint64_t hard;
};

static const int resources[] = {RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_SIGPENDING};
#define RESOURCES (sizeof(resources) / sizeof(resources[0]))

static struct limit found[RESOURCES];
static bool is_raised[RESOURCES];

static bool change(int resource, const struct limit *set, struct limit *get) {
    return vaka_async_call(SYS_prlimit64, 0, resource, (long)set, (long)get, 0, 0) == 0;
}

void vaka_async_limits_raise(void) {
    for (size_t i = 0; i < RESOURCES; i++) {
        if (is_raised[i] || !change(resources[i], NULL, &found[i]) || found[i].soft >= found[i].hard)
            continue;
        struct limit raised = {found[i].hard, found[i].hard};
        is_raised[i] = change(resources[i], &raised, NULL);
    }
}

void vaka_async_limits_restore(void) {
    for (size_t i = 0; i < RESOURCES; i++) {
        struct limit now;
        if (is_raised[i] && change(resources[i], NULL, &now) && now.soft == found[i].hard && now.hard == found[i].hard)
            change(resources[i], &found[i], NULL);
        is_raised[i] = false;
    }
}
