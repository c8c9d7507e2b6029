/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "loading.h"
#include "activity.h"
#include "vaka_curl.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* Recursive: a library may fork while it is loaded. */
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/* The process that called vaka_curl_prepare(). */
static atomic_int owner;

void vaka_curl_loading_begin(void) {
    pthread_mutex_lock(&mutex);
}

void vaka_curl_loading_end(void) {
    pthread_mutex_unlock(&mutex);
}

/* The thread that forked has another id in the child, and so does not own the mutex there. */
static void renew(void) {
    mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
}

static void prepare(void) {
    atomic_store(&owner, getpid());
    pthread_atfork(vaka_curl_loading_begin, vaka_curl_loading_end, renew);
}

void vaka_curl_prepare(void) {
    pthread_once(&once, prepare);
}

void vaka_curl_end(void) {
    if (atomic_load(&owner) != getpid())
        return;
    /* Who waits for the load begins nothing after this. */
    vaka_curl_activity_break_off();
    vaka_curl_loading_begin();
    vaka_curl_loading_end();
}
