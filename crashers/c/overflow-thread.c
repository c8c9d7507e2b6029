/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves aliases on a thread with the smallest stack there may be; one alias means itself. */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>

struct alias {
    const char *name;
    const struct alias *meaning;
};

__attribute__((noinline)) static int resolve(const volatile struct alias *alias, int depth) {
    volatile char initial[64];
    initial[depth % 64] = *alias->name;
    if (alias->meaning == NULL)
        return depth;
    int rest = resolve(alias->meaning, depth + 1);
    return rest ^ initial[depth % 64];
}

static void *resolve_all(void *aliases) {
    printf("%d\n", resolve(aliases, 0));
    return NULL;
}

int main(void) {
    struct alias self = {"self", &self};
    pthread_t thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
    if (pthread_create(&thread, &small, resolve_all, &self) != 0)
        return 1;
    return pthread_join(thread, NULL);
}
