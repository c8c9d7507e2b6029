/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl's functions, found by dlopen(). */
#ifndef VAKA_CURL_LIBRARY_H
#define VAKA_CURL_LIBRARY_H

#include "curl_abi.h"

struct vaka_curl_library {
    enum curl_code (*global_init)(long flags);
    curl_handle *(*easy_init)(void);
    enum curl_code (*easy_setopt)(curl_handle *handle, enum curl_option option, ...);
    enum curl_code (*easy_perform)(curl_handle *handle);
    enum curl_code (*easy_getinfo)(curl_handle *handle, enum curl_information information, ...);
    void (*easy_cleanup)(curl_handle *handle);
    const char *(*easy_strerror)(enum curl_code code);
    struct curl_list *(*slist_append)(struct curl_list *list, const char *text);
    void (*slist_free_all)(struct curl_list *list);
};

/* NULL when it cannot be had; then *error says why and what to install. Loaded once; thread-safe. */
const struct vaka_curl_library *vaka_curl_library_get(const char **error);

#endif
