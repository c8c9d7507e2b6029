/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "include/vaka_host.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

/* In a page that a forked child finds empty; NULL where the kernel has none such. */
static _Atomic(int) *kept;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_page(void) {
    size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return;
    if (madvise(page, bytes, MADV_WIPEONFORK) != 0) {
        munmap(page, bytes);
        return;
    }
    kept = page;
}

int vaka_host_process_id(void) {
    pthread_once(&once, make_page);
    if (kept == NULL)
        return getpid();
    int known = atomic_load_explicit(kept, memory_order_relaxed);
    if (known == 0) {
        known = getpid();
        atomic_store_explicit(kept, known, memory_order_relaxed);
    }
    return known;
}
