/* SPDX-License-Identifier: Apache-2.0 */
#include "activity.h"
#include "library.h"
#include "vaka_curl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

struct exchange {
    const struct vaka_curl_library *curl;
    curl_handle *handle;
    const vaka_http_request *request;
    vaka_http_response *response;
    size_t body_capacity;
    off_t body_start;
    size_t body_sent; /* of a body in memory */
    enum vaka_http_result problem; /* what a callback met; VAKA_HTTP_ANSWERED: nothing */
};

/* The status of the answer whose body arrives. */
static long status_of(struct exchange *exchange) {
    long status = 0;
    exchange->curl->easy_getinfo(exchange->handle, INFORMATION_RESPONSE_CODE, &status);
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
    take_header(data, bytes, "etag:", response->etag, sizeof(response->etag));
    return bytes;
}

static size_t send_body(char *buffer, size_t size, size_t count, void *context) {
    struct exchange *exchange = context;
    const vaka_http_request *request = exchange->request;
    if (request->body != NULL) {
        size_t left = (size_t)request->body_bytes - exchange->body_sent;
        size_t bytes = size * count < left ? size * count : left;
        memcpy(buffer, (const char *)request->body + exchange->body_sent, bytes);
        exchange->body_sent += bytes;
        return bytes;
    }
    ssize_t got;
    do {
        got = read(request->body_file, buffer, size * count);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        exchange->problem = VAKA_HTTP_BODY;
        return READ_ABORT;
    }
    return (size_t)got;
}

/* Called when the body has to be sent again, after a connection that was kept open turned out to be closed. */
static int rewind_body(void *context, curl_offset offset, int origin) {
    struct exchange *exchange = context;
    if (origin != SEEK_SET)
        return SEEK_IMPOSSIBLE;
    if (exchange->request->body != NULL) {
        exchange->body_sent = (size_t)offset;
        return SEEK_DONE;
    }
    off_t place = lseek(exchange->request->body_file, exchange->body_start + offset, SEEK_SET);
    return place < 0 ? SEEK_FAILED : SEEK_DONE;
}

static int report_progress(void *context, curl_offset to_receive, curl_offset received, curl_offset to_send,
                           curl_offset sent) {
    struct exchange *exchange = context;
    const vaka_http_request *request = exchange->request;
    if (vaka_curl_activity_is_over()) {
        exchange->problem = VAKA_HTTP_ENDED;
        return 1;
    }
    if (request->unwanted != NULL && request->unwanted(request->context)) {
        exchange->problem = VAKA_HTTP_UNWANTED;
        return 1;
    }
    if (request->progress != NULL && to_send > 0)
        request->progress(request->context, sent, to_send);
    if (request->received != NULL && received > 0) {
        long long said = strtoll(exchange->response->debuginfod_size, NULL, 10);
        request->received(request->context, received, to_receive > 0 ? to_receive : said > 0 ? said : -1);
    }
    return 0;
}

/* What is not wanted any more does not go on its way after the connection was closed. */
static int close_socket(void *context, curl_socket socket) {
    struct exchange *exchange = context;
    if (exchange->problem == VAKA_HTTP_UNWANTED) {
        struct linger none = {.l_onoff = 1, .l_linger = 0};
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
    }
    return close(socket);
}

static void set_limits(const struct vaka_curl_library *curl, curl_handle *handle, const vaka_http_request *request) {
    curl->easy_setopt(handle, OPTION_NOSIGNAL, 1L);
    if (request->proxy != NULL)
        curl->easy_setopt(handle, OPTION_PROXY, request->proxy);
    if (request->ca_file != NULL)
        curl->easy_setopt(handle, OPTION_CAINFO, request->ca_file);
    curl->easy_setopt(handle, OPTION_PROTOCOLS, (long)(PROTOCOL_HTTP | PROTOCOL_HTTPS));
    curl->easy_setopt(handle, OPTION_CONNECTTIMEOUT_MS, request->connect_timeout_ms);
    curl->easy_setopt(handle, OPTION_TIMEOUT_MS, request->timeout_ms);
    curl->easy_setopt(handle, OPTION_LOW_SPEED_LIMIT,
                      request->stall_bytes_per_second > 0 ? request->stall_bytes_per_second : 1L);
    curl->easy_setopt(handle, OPTION_LOW_SPEED_TIME, request->stall_seconds);
    if (request->most_redirects > 0) {
        int is_secure = strncasecmp(request->url, "https:", 6) == 0;
        curl->easy_setopt(handle, OPTION_FOLLOWLOCATION, 1L);
        curl->easy_setopt(handle, OPTION_MAXREDIRS, request->most_redirects);
        curl->easy_setopt(handle, OPTION_REDIR_PROTOCOLS,
                          is_secure ? (long)PROTOCOL_HTTPS : (long)(PROTOCOL_HTTP | PROTOCOL_HTTPS));
    }
}

static void set_body(const struct vaka_curl_library *curl, curl_handle *handle, struct exchange *exchange) {
    const vaka_http_request *request = exchange->request;
    int is_put = strcmp(request->method, "PUT") == 0;
    if (strcmp(request->method, "HEAD") == 0)
        curl->easy_setopt(handle, OPTION_NOBODY, 1L);
    if (strcmp(request->method, "DELETE") == 0)
        curl->easy_setopt(handle, OPTION_CUSTOMREQUEST, "DELETE");
    if (!is_put && strcmp(request->method, "POST") != 0)
        return;
    curl->easy_setopt(handle, is_put ? OPTION_UPLOAD : OPTION_POST, 1L);
    curl->easy_setopt(handle, is_put ? OPTION_INFILESIZE_LARGE : OPTION_POSTFIELDSIZE_LARGE,
                      (curl_offset)request->body_bytes);
    if (request->body != NULL && !is_put) {
        curl->easy_setopt(handle, OPTION_POSTFIELDS, request->body);
        return;
    }
    if (request->body == NULL)
        exchange->body_start = lseek(request->body_file, 0, SEEK_CUR);
    curl->easy_setopt(handle, OPTION_READFUNCTION, send_body);
    curl->easy_setopt(handle, OPTION_READDATA, exchange);
    curl->easy_setopt(handle, OPTION_SEEKFUNCTION, rewind_body);
    curl->easy_setopt(handle, OPTION_SEEKDATA, exchange);
}

/* False where this libcurl cannot sign. */
static int set_signature(const struct vaka_curl_library *curl, curl_handle *handle,
                         const vaka_http_signature *signature) {
    if (signature == NULL)
        return 1;
    curl->easy_setopt(handle, OPTION_USERNAME, signature->key_id);
    curl->easy_setopt(handle, OPTION_PASSWORD, signature->secret);
    return curl->easy_setopt(handle, OPTION_AWS_SIGV4, signature->provider) == CODE_OK;
}

static void set_callbacks(const struct vaka_curl_library *curl, curl_handle *handle, struct exchange *exchange) {
    curl->easy_setopt(handle, OPTION_WRITEFUNCTION, receive_body);
    curl->easy_setopt(handle, OPTION_WRITEDATA, exchange);
    curl->easy_setopt(handle, OPTION_HEADERFUNCTION, receive_header);
    curl->easy_setopt(handle, OPTION_HEADERDATA, exchange);
    curl->easy_setopt(handle, OPTION_NOPROGRESS, 0L);
    curl->easy_setopt(handle, OPTION_XFERINFOFUNCTION, report_progress);
    curl->easy_setopt(handle, OPTION_XFERINFODATA, exchange);
    curl->easy_setopt(handle, OPTION_CLOSESOCKETFUNCTION, close_socket);
    curl->easy_setopt(handle, OPTION_CLOSESOCKETDATA, exchange);
}

static enum vaka_http_result result_of(enum curl_code code) {
    switch (code) {
    case CODE_OK:
        return VAKA_HTTP_ANSWERED;
    case CODE_URL_MALFORMAT:
    case CODE_UNSUPPORTED_PROTOCOL:
        return VAKA_HTTP_BAD_URL;
    case CODE_OPERATION_TIMEDOUT:
        return VAKA_HTTP_TIMED_OUT;
    case CODE_OUT_OF_MEMORY:
        return VAKA_HTTP_NO_MEMORY;
    case CODE_ABORTED_BY_CALLBACK:
        return VAKA_HTTP_BODY;
    case CODE_PARTIAL_FILE:
    case CODE_GOT_NOTHING:
    case CODE_SEND_ERROR:
    case CODE_RECV_ERROR:
        return VAKA_HTTP_BROKEN;
    default:
        return VAKA_HTTP_UNREACHABLE;
    }
}

static enum vaka_http_result exchange_perform(const struct vaka_curl_library *curl, curl_handle *handle,
                                              struct exchange *exchange) {
    vaka_http_response *response = exchange->response;
    char detail[ERROR_BYTES] = "";
    curl->easy_setopt(handle, OPTION_ERRORBUFFER, detail);
    enum curl_code code = curl->easy_perform(handle);
    enum vaka_http_result result = exchange->problem != VAKA_HTTP_ANSWERED ? exchange->problem : result_of(code);
    curl->easy_getinfo(handle, INFORMATION_RESPONSE_CODE, &response->status);
    response->announced_bytes = -1;
    curl->easy_getinfo(handle, INFORMATION_BODY_BYTES, &response->announced_bytes);
    if (code != CODE_OK && response->error[0] == '\0') {
        snprintf(response->error, sizeof(response->error), "%s",
                 detail[0] != '\0' ? detail : curl->easy_strerror(code));
    }
    return result;
}

static enum vaka_http_result perform(const struct vaka_curl_library *curl, const vaka_http_request *request,
                                     vaka_http_response *response) {
    curl_handle *handle = curl->easy_init();
    if (handle == NULL)
        return VAKA_HTTP_NO_MEMORY;

    enum vaka_http_result result = VAKA_HTTP_NO_MEMORY;
    struct exchange exchange = {.curl = curl, .handle = handle, .request = request, .response = response};
    struct curl_list *headers = NULL;
    struct curl_list *resolve = NULL;
    if (request->resolve != NULL && (resolve = curl->slist_append(NULL, request->resolve)) == NULL)
        goto end;
    for (size_t i = 0; i < request->header_count; i++) {
        struct curl_list *longer = curl->slist_append(headers, request->headers[i]);
        if (longer == NULL)
            goto end;
        headers = longer;
    }
    curl->easy_setopt(handle, OPTION_URL, request->url);
    curl->easy_setopt(handle, OPTION_HTTPHEADER, headers);
    if (resolve != NULL)
        curl->easy_setopt(handle, OPTION_RESOLVE, resolve);
    set_limits(curl, handle, request);
    set_body(curl, handle, &exchange);
    set_callbacks(curl, handle, &exchange);
    if (!set_signature(curl, handle, request->signature)) {
        snprintf(response->error, sizeof(response->error), "this libcurl cannot sign for S3; 7.75 and later can");
        result = VAKA_HTTP_NO_LIBRARY;
        goto end;
    }
    result = exchange_perform(curl, handle, &exchange);
end:
    curl->easy_cleanup(handle);
    curl->slist_free_all(headers);
    curl->slist_free_all(resolve);
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
    if (!vaka_curl_activity_begin()) {
        snprintf(response->error, sizeof(response->error), "the process is ending");
        return VAKA_HTTP_ENDED;
    }
    enum vaka_http_result result = perform(curl, request, response);
    vaka_curl_activity_end();
    return result;
}

void vaka_http_response_deinit(vaka_http_response *response) {
    free(response->body);
    response->body = NULL;
    response->body_bytes = 0;
}
