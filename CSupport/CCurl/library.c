/* SPDX-License-Identifier: Apache-2.0 */
#include "library.h"
#include "activity.h"
#include "vaka_curl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#define LIBRARY_NAME "libcurl.so.4"

static struct vaka_curl_library library;
static char failure[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    vaka_curl_activity_own();
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
    enum curl_code code = library.global_init(GLOBAL_ALL);
    if (code != CODE_OK) {
        snprintf(failure, sizeof(failure), "%s does not start: %s", LIBRARY_NAME, library.easy_strerror(code));
    }
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
