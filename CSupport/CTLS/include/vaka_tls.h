/* SPDX-License-Identifier: Apache-2.0 */
/* What libmicrohttpd leaves to GnuTLS: certificates that can be renewed while it serves. Provider: libgnutls28-dev,
   which libmicrohttpd-dev brings. */
#ifndef VAKA_TLS_H
#define VAKA_TLS_H
#include <stddef.h>
#include <stdint.h>

enum vaka_tls_result {
    VAKA_TLS_DONE,
    /* The text holds no certificates that can be read. */
    VAKA_TLS_NO_CERTIFICATE,
    /* The text holds no private key that can be read. */
    VAKA_TLS_NO_KEY,
    /* The key is not that of the first certificate. */
    VAKA_TLS_OTHER_KEY,
    VAKA_TLS_NO_MEMORY,
};

/* Reads a chain (PEM, the server's own certificate first) and its key (PEM, no password); handshakes that begin from now
   on use them. Whatever fails, the pair before stays. reason: GnuTLS's own words, static, or NULL. One thread at a time. */
enum vaka_tls_result vaka_tls_use(const void *chain, size_t chain_length, const void *key, size_t key_length,
                                  const char **reason);

/* When the server's own certificate ends, in seconds since 1970; -1 when there is none. */
int64_t vaka_tls_expiry(void);

/* For libmicrohttpd's MHD_OPTION_HTTPS_CERT_CALLBACK. */
void *vaka_tls_certificate_callback(void);

/* Writes to a session (gnutls_session_t) and says that nothing follows; 0 when all was taken. Never waits. */
int vaka_tls_finish(void *session, const void *bytes, size_t length);
#endif
