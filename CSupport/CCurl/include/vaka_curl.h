/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One HTTP request through libcurl, which is loaded at the first use: a program that sends nothing loads no network
 * library. Swift cannot call curl_easy_setopt(), which is variadic; this is all it needs of it.
 */
#ifndef VAKA_CURL_H
#define VAKA_CURL_H

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define VAKA_NULLABLE _Nullable
#else
#define VAKA_NULLABLE
#endif

/* What vaka_http_perform() returns. */
enum vaka_http_result {
    VAKA_HTTP_ANSWERED = 0,
    VAKA_HTTP_NO_LIBRARY = 1, /* libcurl.so.4 is missing or unusable */
    VAKA_HTTP_BAD_URL = 2,
    VAKA_HTTP_UNREACHABLE = 3, /* no name, no connection, no TLS */
    VAKA_HTTP_TIMED_OUT = 4,
    VAKA_HTTP_BODY = 5, /* the body's file could not be read to its end */
    VAKA_HTTP_BROKEN = 6, /* the connection ended before the answer did */
    VAKA_HTTP_TOO_LONG = 7, /* the answer's body exceeds response_limit */
    VAKA_HTTP_NO_MEMORY = 8,
    VAKA_HTTP_ANSWER_FILE = 9, /* the answer's body could not be written to answer_file */
    VAKA_HTTP_ENDED = 10, /* vaka_curl_end() broke it off, or came before */
    VAKA_HTTP_UNWANTED = 11, /* `unwanted` broke it off */
};

/* AWS's signature, version 4, which libcurl makes. The query of the URL is sorted and has an = in every part, and the headers
 * have x-amz-content-sha256: what older libcurls do not see to. */
typedef struct vaka_http_signature {
    const char *provider; /* "aws:amz:REGION:SERVICE" */
    const char *key_id;
    const char *secret;
} vaka_http_signature;

typedef struct vaka_http_request {
    const char *method; /* "GET", "HEAD", "POST", "PUT" or "DELETE" */
    const char *url;
    const char *VAKA_NULLABLE const *VAKA_NULLABLE headers; /* "Name: value" */
    size_t header_count;
    const void *VAKA_NULLABLE
        body; /* of a POST or PUT: from memory, or, where NULL, from body_file's present position */
    int body_file;
    uint64_t body_bytes;
    long connect_timeout_ms;
    long timeout_ms; /* of the whole request; 0: none, but a transfer that stands still for stall_seconds ends */
    long stall_seconds;
    long stall_bytes_per_second; /* what stands still: less than this; 0: one byte */
    size_t response_limit;
    /* Where save_answer is set, the body of a 2xx goes to answer_file, at most answer_limit bytes of it, and not to memory. */
    int save_answer;
    int answer_file;
    uint64_t answer_limit;
    long most_redirects; /* 0: none is followed. Those from https to http never are. */
    const char *VAKA_NULLABLE proxy; /* a URL; "": none. NULL: as http_proxy, https_proxy and no_proxy say */
    const char *VAKA_NULLABLE ca_file; /* PEM, in the place of the system's certificates */
    const vaka_http_signature *VAKA_NULLABLE signature;
    const char *VAKA_NULLABLE resolve; /* "HOST:PORT:ADDRESS": the name is not looked up, but has this address */
    void (*VAKA_NULLABLE progress)(void *VAKA_NULLABLE context, int64_t sent, int64_t total);
    /* Asked all the time, once a second where nothing moves: else than 0 breaks the request off. What of the body the kernel
     * holds for the connection is not sent either. */
    int (*VAKA_NULLABLE unwanted)(void *VAKA_NULLABLE context);
    /* Of a body that goes to a file; total is what the server says, -1 where it says nothing. */
    void (*VAKA_NULLABLE received)(void *VAKA_NULLABLE context, int64_t bytes, int64_t total);
    void *VAKA_NULLABLE context;
} vaka_http_request;

typedef struct vaka_http_response {
    long status;
    char *VAKA_NULLABLE body; /* freed by vaka_http_response_deinit() */
    size_t body_bytes;
    uint64_t saved_bytes; /* those in answer_file */
    char retry_after[64]; /* the header's value; "" without one */
    char debuginfod_size[64]; /* of X-DEBUGINFOD-SIZE, likewise */
    char etag[128]; /* likewise */
    int64_t announced_bytes; /* of the body, as the headers say; -1: they do not */
    char error[512]; /* what went wrong, for a person; "" when nothing did */
} vaka_http_response;

/* Redirects are followed only where asked for: a key or a crash goes where its user sent it. Thread-safe; blocks. */
enum vaka_http_result vaka_http_perform(const vaka_http_request *request, vaka_http_response *response);

typedef struct vaka_mail {
    const char *server; /* smtp://[USER:PASSWORD@]HOST[:PORT] or smtps://… */
    int needs_tls; /* of smtp://: the mail is given to a server with STARTTLS only */
    const char *from; /* addresses, without anything around them */
    const char *to;
    const char *text; /* the whole message, its lines ended by CR LF */
    size_t bytes;
    long timeout_ms;
    const char *VAKA_NULLABLE ca_file; /* as above */
} vaka_mail;

/*
 * Gives a mail to a server. Returns 0, else `status` has the server's answer (0 where it gave none) and `error` a text for
 * people. Thread-safe; blocks.
 */
int vaka_mail_send(const vaka_mail *mail, long *status, char *error, size_t error_bytes);

/*
 * From here on a fork() waits while a thread loads libcurl: a child that is made meanwhile would have a loader that is locked
 * for ever. To be called before any other thread may send, where the program is not the caller's own. Once is enough.
 */
void vaka_curl_prepare(void);

/* Loads libcurl now, where the first request would have done it. */
void vaka_curl_load(void);

/*
 * The process ends: waits for a load, breaks off what is under way, and waits for that, which takes about a second at most;
 * nothing begins afterwards. What libraries clean up at exit must not be in use then. Thread-safe; does nothing in a forked
 * child, nor where vaka_curl_prepare() was not called.
 */
void vaka_curl_end(void);

void vaka_http_response_deinit(vaka_http_response *response);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
