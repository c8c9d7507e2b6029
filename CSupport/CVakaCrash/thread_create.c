/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pthread_create in front of libc's, so that each thread begins with an alternate stack. Weak: where the program or a
 * sanitizer's runtime brings its own, that one counts, and threads are made as without us.
 */
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

typedef int (*create_function)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

extern void *dlsym(void *handle, const char *name) __attribute__((weak));
/* libc's own in a static program. */
extern int __pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) __attribute__((weak));
/* They give their threads alternate stacks, and unmap what they find. */
extern void __asan_init(void) __attribute__((weak));
extern void __hwasan_init(void) __attribute__((weak));
extern void __msan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));

/*
 * Weak references take nothing out of an archive. This one does: in a static program it brings libc's pthread_create.o
 * and with it __pthread_create.
 */
__attribute__((used)) static int (*const volatile brings_libc)(thrd_t *, thrd_start_t, void *) = thrd_create;

struct beginning {
    void *(*routine)(void *);
    void *argument;
};

static create_function libc_create;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_off;

static bool has_sanitizer(void) {
    return __asan_init != NULL || __hwasan_init != NULL || __msan_init != NULL || __tsan_init != NULL;
}

static void prepare(void) {
    create_function found = __pthread_create;
    const char *off = secure_getenv("VAKA_NO_THREAD_STACKS");
    if (found == NULL && dlsym != NULL)
        found = (create_function)(uintptr_t)dlsym((void *)-1L /* RTLD_NEXT */, "pthread_create");
    libc_create = found;
    if (has_sanitizer() || (off != NULL && strcmp(off, "1") == 0))
        __atomic_store_n(&is_off, 1, __ATOMIC_RELEASE);
}

void vaka_thread_stacks_off(void) {
    __atomic_store_n(&is_off, 1, __ATOMIC_RELEASE);
}

bool vaka_thread_stacks_are_off(void) {
    return __atomic_load_n(&is_off, __ATOMIC_ACQUIRE) != 0;
}

void vaka_thread_stacks_prepare(void) {
    pthread_once(&once, prepare);
}

static void *begin(void *value) {
    struct beginning beginning = *(struct beginning *)value;
    free(value);
    vaka_thread_stack_attach();
    return beginning.routine(beginning.argument);
}

__attribute__((weak)) VAKA_CRASH_API int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                                        void *(*routine)(void *), void *argument) {
    vaka_thread_stacks_prepare();
    if (libc_create == NULL)
        return EAGAIN;
    struct beginning *beginning = NULL;
    if (!vaka_thread_stacks_are_off())
        beginning = malloc(sizeof(*beginning));
    if (beginning == NULL)
        return libc_create(thread, attributes, routine, argument);
    *beginning = (struct beginning){routine, argument};
    int error = libc_create(thread, attributes, begin, beginning);
    if (error != 0)
        free(beginning);
    return error;
}
