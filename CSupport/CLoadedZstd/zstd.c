/* SPDX-License-Identifier: Apache-2.0 */
#include "vaka_zstd.h"

#include <dlfcn.h>
#include <pthread.h>

static struct {
    size_t (*bound)(size_t);
    size_t (*compress)(void *, size_t, const void *, size_t, int);
    unsigned (*is_error)(size_t);
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        return;
    *(void **)&library.compress = dlsym(handle, "ZSTD_compress");
    *(void **)&library.is_error = dlsym(handle, "ZSTD_isError");
    void *bound = dlsym(handle, "ZSTD_compressBound");
    if (library.compress != NULL && library.is_error != NULL)
        *(void **)&library.bound = bound;
}

size_t vaka_zstd_bound(size_t bytes) {
    pthread_once(&once, load);
    if (library.bound == NULL)
        return 0;
    const size_t bound = library.bound(bytes);
    return library.is_error(bound) ? 0 : bound;
}

size_t vaka_zstd_compress(void *output, size_t room, const void *input, size_t bytes, int level) {
    pthread_once(&once, load);
    if (library.bound == NULL)
        return 0;
    const size_t made = library.compress(output, room, input, bytes, level);
    return library.is_error(made) ? 0 : made;
}
