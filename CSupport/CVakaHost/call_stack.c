/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "vaka_host.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <string.h>
#include <unistd.h>

#define FRAMES_MAX 256

__attribute__((noinline)) size_t vaka_host_call_stack(void **addresses, size_t capacity, size_t skip) {
    void *all[FRAMES_MAX];
    int count = backtrace(all, FRAMES_MAX);
    /* This function's frame and its caller's own. */
    size_t left_out = skip + 2;
    if (count < 0 || (size_t)count <= left_out)
        return 0;
    size_t kept = (size_t)count - left_out;
    if (kept > capacity)
        kept = capacity;
    memcpy(addresses, all + left_out, kept * sizeof(void *));
    return kept;
}

const char *vaka_host_symbol(const void *address) {
    Dl_info info;
    return dladdr(address, &info) != 0 ? info.dli_sname : NULL;
}

int vaka_host_thread_id(void) {
    return gettid();
}
