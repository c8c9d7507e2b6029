/* SPDX-License-Identifier: Apache-2.0 */
#include "activity.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* libcurl asks at least once a second whether it is to go on; then there is the handshake's or the resolver's own step. */
#define WAIT_SECONDS 3

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t settled = PTHREAD_COND_INITIALIZER;
static unsigned under_way;
static atomic_int is_over;

int vaka_curl_activity_begin(void) {
    pthread_mutex_lock(&mutex);
    int may_begin = !atomic_load(&is_over);
    if (may_begin)
        under_way++;
    pthread_mutex_unlock(&mutex);
    return may_begin;
}

void vaka_curl_activity_end(void) {
    pthread_mutex_lock(&mutex);
    if (--under_way == 0)
        pthread_cond_broadcast(&settled);
    pthread_mutex_unlock(&mutex);
}

int vaka_curl_activity_is_over(void) {
    return atomic_load(&is_over);
}

void vaka_curl_activity_break_off(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += WAIT_SECONDS;
    pthread_mutex_lock(&mutex);
    atomic_store(&is_over, 1);
    while (under_way > 0 && pthread_cond_timedwait(&settled, &mutex, &until) == 0) {
    }
    pthread_mutex_unlock(&mutex);
}
