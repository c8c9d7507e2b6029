/* SPDX-License-Identifier: Apache-2.0 */
#include "library.h"
#include "vaka_curl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct exchange {
    const struct vaka_curl_library *curl;
    CURL *handle;
    const vaka_http_request *request;
    vaka_http_response *response;
    size_t body_capacity;
    off_t body_start;
    enum vaka_http_result problem; /* what a callback met; VAKA_HTTP_ANSWERED: nothing */
};

/* The status of the answer whose body arrives. */
static long status_of(struct exchange *exchange) {
    long status = 0;
    exchange->curl->easy_getinfo(exchange->handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

static size_t save_body(struct exchange *exchange, const char *data, size_t bytes) {
    const vaka_http_request *request = exchange->request;
    if (bytes > request->answer_limit - exchange->response->saved_bytes) {
        exchange->problem = VAKA_HTTP_TOO_LONG;
        return 0;
    }
    size_t done = 0;
    while (done < bytes) {
        ssize_t count = write(request->answer_file, data + done, bytes - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            snprintf(exchange->response->error, sizeof(exchange->response->error), "%s", strerror(errno));
            exchange->problem = VAKA_HTTP_ANSWER_FILE;
            return 0;
        }
        done += (size_t)count;
    }
    exchange->response->saved_bytes += bytes;
    return bytes;
}

static size_t receive_body(char *data, size_t size, size_t count, void *context) {
    struct exchange *exchange = context;
    vaka_http_response *response = exchange->response;
    size_t bytes = size * count;
    if (exchange->request->save_answer && status_of(exchange) / 100 == 2)
        return save_body(exchange, data, bytes);
    if (bytes > exchange->request->response_limit - response->body_bytes) {
        exchange->problem = VAKA_HTTP_TOO_LONG;
        return 0;
    }
    size_t needed = response->body_bytes + bytes;
    if (needed > exchange->body_capacity) {
        size_t capacity = needed * 2;
        char *grown = realloc(response->body, capacity);
        if (grown == NULL) {
            exchange->problem = VAKA_HTTP_NO_MEMORY;
            return 0;
        }
        response->body = grown;
        exchange->body_capacity = capacity;
    }
    memcpy(response->body + response->body_bytes, data, bytes);
    response->body_bytes = needed;
    return bytes;
}

/* Copies the value of a header line that has this name, in lowercase and with its colon. */
static void take_header(const char *data, size_t bytes, const char *name, char *place, size_t capacity) {
    size_t name_bytes = strlen(name);
    if (bytes <= name_bytes || strncasecmp(data, name, name_bytes) != 0)
        return;
    const char *value = data + name_bytes;
    const char *end = data + bytes;
    while (value < end && (*value == ' ' || *value == '\t'))
        value++;
    while (end > value && (end[-1] == '\r' || end[-1] == '\n' || end[-1] == ' '))
        end--;
    snprintf(place, capacity, "%.*s", (int)(end - value), value);
}

static size_t receive_header(char *data, size_t size, size_t count, void *context) {
    struct exchange *exchange = context;
    vaka_http_response *response = exchange->response;
    size_t bytes = size * count;
    take_header(data, bytes, "retry-after:", response->retry_after, sizeof(response->retry_after));
    take_header(data, bytes, "x-debuginfod-size:", response->debuginfod_size, sizeof(response->debuginfod_size));
    return bytes;
}

static size_t send_body(char *buffer, size_t size, size_t count, void *context) {
    struct exchange *exchange = context;
    ssize_t got;
    do {
        got = read(exchange->request->body_file, buffer, size * count);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        exchange->problem = VAKA_HTTP_BODY;
        return CURL_READFUNC_ABORT;
    }
    return (size_t)got;
}

/* Called when the body has to be sent again, after a connection that was kept open turned out to be closed. */
static int rewind_body(void *context, curl_off_t offset, int origin) {
    struct exchange *exchange = context;
    if (origin != SEEK_SET)
        return CURL_SEEKFUNC_CANTSEEK;
    off_t place = lseek(exchange->request->body_file, exchange->body_start + offset, SEEK_SET);
    return place < 0 ? CURL_SEEKFUNC_FAIL : CURL_SEEKFUNC_OK;
}

static int report_progress(void *context, curl_off_t to_receive, curl_off_t received, curl_off_t to_send,
                           curl_off_t sent) {
    struct exchange *exchange = context;
    const vaka_http_request *request = exchange->request;
    if (request->progress != NULL && to_send > 0)
        request->progress(request->context, sent, to_send);
    if (request->received != NULL && received > 0) {
        long long said = strtoll(exchange->response->debuginfod_size, NULL, 10);
        request->received(request->context, received, to_receive > 0 ? to_receive : said > 0 ? said : -1);
    }
    return 0;
}

static void set_limits(const struct vaka_curl_library *curl, CURL *handle, const vaka_http_request *request) {
    curl->easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl->easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    curl->easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, request->connect_timeout_ms);
    curl->easy_setopt(handle, CURLOPT_TIMEOUT_MS, request->timeout_ms);
    curl->easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT,
                      request->stall_bytes_per_second > 0 ? request->stall_bytes_per_second : 1L);
    curl->easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, request->stall_seconds);
    if (request->most_redirects > 0) {
        int is_secure = strncasecmp(request->url, "https:", 6) == 0;
        curl->easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
        curl->easy_setopt(handle, CURLOPT_MAXREDIRS, request->most_redirects);
        curl->easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS,
                          is_secure ? (long)CURLPROTO_HTTPS : (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    }
}

static void set_body(const struct vaka_curl_library *curl, CURL *handle, struct exchange *exchange) {
    const vaka_http_request *request = exchange->request;
    if (strcmp(request->method, "POST") != 0)
        return;
    curl->easy_setopt(handle, CURLOPT_POST, 1L);
    curl->easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_bytes);
    if (request->body != NULL) {
        curl->easy_setopt(handle, CURLOPT_POSTFIELDS, request->body);
        return;
    }
    exchange->body_start = lseek(request->body_file, 0, SEEK_CUR);
    curl->easy_setopt(handle, CURLOPT_READFUNCTION, send_body);
    curl->easy_setopt(handle, CURLOPT_READDATA, exchange);
    curl->easy_setopt(handle, CURLOPT_SEEKFUNCTION, rewind_body);
    curl->easy_setopt(handle, CURLOPT_SEEKDATA, exchange);
}

static void set_callbacks(const struct vaka_curl_library *curl, CURL *handle, struct exchange *exchange) {
    curl->easy_setopt(handle, CURLOPT_WRITEFUNCTION, receive_body);
    curl->easy_setopt(handle, CURLOPT_WRITEDATA, exchange);
    curl->easy_setopt(handle, CURLOPT_HEADERFUNCTION, receive_header);
    curl->easy_setopt(handle, CURLOPT_HEADERDATA, exchange);
    if (exchange->request->progress == NULL && exchange->request->received == NULL)
        return;
    curl->easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    curl->easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, report_progress);
    curl->easy_setopt(handle, CURLOPT_XFERINFODATA, exchange);
}

static enum vaka_http_result result_of(CURLcode code) {
    switch (code) {
    case CURLE_OK:
        return VAKA_HTTP_ANSWERED;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
        return VAKA_HTTP_BAD_URL;
    case CURLE_OPERATION_TIMEDOUT:
        return VAKA_HTTP_TIMED_OUT;
    case CURLE_OUT_OF_MEMORY:
        return VAKA_HTTP_NO_MEMORY;
    case CURLE_ABORTED_BY_CALLBACK:
        return VAKA_HTTP_BODY;
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
        return VAKA_HTTP_BROKEN;
    default:
        return VAKA_HTTP_UNREACHABLE;
    }
}

static enum vaka_http_result exchange_perform(const struct vaka_curl_library *curl, CURL *handle,
                                              struct exchange *exchange) {
    vaka_http_response *response = exchange->response;
    char detail[CURL_ERROR_SIZE] = "";
    curl->easy_setopt(handle, CURLOPT_ERRORBUFFER, detail);
    CURLcode code = curl->easy_perform(handle);
    enum vaka_http_result result = exchange->problem != VAKA_HTTP_ANSWERED ? exchange->problem : result_of(code);
    curl->easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &response->status);
    if (code != CURLE_OK && response->error[0] == '\0') {
        snprintf(response->error, sizeof(response->error), "%s",
                 detail[0] != '\0' ? detail : curl->easy_strerror(code));
    }
    return result;
}

enum vaka_http_result vaka_http_perform(const vaka_http_request *request, vaka_http_response *response) {
    memset(response, 0, sizeof(*response));
    const char *problem;
    const struct vaka_curl_library *curl = vaka_curl_library_get(&problem);
    if (curl == NULL) {
        snprintf(response->error, sizeof(response->error), "%s", problem);
        return VAKA_HTTP_NO_LIBRARY;
    }
    CURL *handle = curl->easy_init();
    if (handle == NULL)
        return VAKA_HTTP_NO_MEMORY;

    enum vaka_http_result result = VAKA_HTTP_NO_MEMORY;
    struct exchange exchange = {.curl = curl, .handle = handle, .request = request, .response = response};
    struct curl_slist *headers = NULL;
    for (size_t i = 0; i < request->header_count; i++) {
        struct curl_slist *longer = curl->slist_append(headers, request->headers[i]);
        if (longer == NULL)
            goto end;
        headers = longer;
    }
    curl->easy_setopt(handle, CURLOPT_URL, request->url);
    curl->easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    set_limits(curl, handle, request);
    set_body(curl, handle, &exchange);
    set_callbacks(curl, handle, &exchange);
    result = exchange_perform(curl, handle, &exchange);
end:
    curl->slist_free_all(headers);
    curl->easy_cleanup(handle);
    return result;
}

void vaka_http_response_deinit(vaka_http_response *response) {
    free(response->body);
    response->body = NULL;
    response->body_bytes = 0;
}
