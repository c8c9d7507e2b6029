/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "library.h"
#include "loading.h"
#include "vaka_curl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#define LIBRARY_NAME "libcurl.so.4"
/* OPENSSL_INIT_NO_ATEXIT of OpenSSL 1.1.1 and later. */
#define OPENSSL_NO_ATEXIT UINT64_C(0x80000)

static struct vaka_curl_library library;
static char failure[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/*
 * OpenSSL's own cleaning up at exit would pull away what another thread sends with. It is asked to leave that; where the
 * program has started OpenSSL before, it stays as the program wants it.
 */
static void keep_openssl(void *libcurl) {
    int (*init)(uint64_t options, const void *settings) =
        (int (*)(uint64_t, const void *))dlsym(libcurl, "OPENSSL_init_crypto");
    if (init != NULL)
        init(OPENSSL_NO_ATEXIT, NULL);
}

static void load_library(void) {
    void *handle = dlopen(LIBRARY_NAME, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *reason = dlerror();
        snprintf(
            failure, sizeof(failure),
            "HTTP needs %s, which cannot be loaded (%s); install Debian's package libcurl4, or your system's libcurl",
            LIBRARY_NAME, reason != NULL ? reason : "no reason given");
        return;
    }
    const struct {
        const char *name;
        void **function;
    } functions[] = {
        {"curl_global_init", (void **)&library.global_init},
        {"curl_easy_init", (void **)&library.easy_init},
        {"curl_easy_setopt", (void **)&library.easy_setopt},
        {"curl_easy_perform", (void **)&library.easy_perform},
        {"curl_easy_getinfo", (void **)&library.easy_getinfo},
        {"curl_easy_cleanup", (void **)&library.easy_cleanup},
        {"curl_easy_strerror", (void **)&library.easy_strerror},
        {"curl_slist_append", (void **)&library.slist_append},
        {"curl_slist_free_all", (void **)&library.slist_free_all},
    };
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        *functions[i].function = dlsym(handle, functions[i].name);
        if (*functions[i].function == NULL) {
            snprintf(failure, sizeof(failure), "%s has no %s; install Debian's package libcurl4", LIBRARY_NAME,
                     functions[i].name);
            return;
        }
    }
    keep_openssl(handle);
    enum curl_code code = library.global_init(GLOBAL_ALL);
    if (code != CODE_OK) {
        snprintf(failure, sizeof(failure), "%s does not start: %s", LIBRARY_NAME, library.easy_strerror(code));
    }
}

static void load(void) {
    vaka_curl_loading_begin();
    load_library();
    vaka_curl_loading_end();
}

const struct vaka_curl_library *vaka_curl_library_get(const char **error) {
    pthread_once(&once, load);
    *error = failure;
    return failure[0] == '\0' ? &library : NULL;
}

void vaka_curl_load(void) {
    const char *error = NULL;
    (void)vaka_curl_library_get(&error);
}
