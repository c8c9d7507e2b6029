/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl's functions, found by dlopen(). */
#ifndef VAKA_CURL_LIBRARY_H
#define VAKA_CURL_LIBRARY_H

#include <curl/curl.h>

struct vaka_curl_library {
    CURLcode (*global_init)(long flags);
    CURL *(*easy_init)(void);
    CURLcode (*easy_setopt)(CURL *handle, CURLoption option, ...);
    CURLcode (*easy_perform)(CURL *handle);
    CURLcode (*easy_getinfo)(CURL *handle, CURLINFO info, ...);
    void (*easy_cleanup)(CURL *handle);
    const char *(*easy_strerror)(CURLcode code);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
    void (*slist_free_all)(struct curl_slist *list);
};

/* NULL when it cannot be had; then *error says why and what to install. Loaded once; thread-safe. */
const struct vaka_curl_library *vaka_curl_library_get(const char **error);

#endif
