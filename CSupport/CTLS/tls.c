/* SPDX-License-Identifier: Apache-2.0 */
#include "vaka_tls.h"

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CERTIFICATES = 16 };

struct identity {
    gnutls_pcert_st chain[MOST_CERTIFICATES];
    unsigned int count;
    gnutls_privkey_t key;
    int64_t expiry;
};

/* One server to a process. An identity that was replaced is never freed, for a handshake may still use it: a few KiB for
   each renewal. */
static _Atomic(struct identity *) current;

static void identity_destroy(struct identity *identity) {
    for (unsigned int i = 0; i < identity->count; i++)
        gnutls_pcert_deinit(&identity->chain[i]);
    if (identity->key != NULL)
        gnutls_privkey_deinit(identity->key);
    free(identity);
}

static int read_chain(struct identity *identity, const gnutls_datum_t *text) {
    unsigned int count = MOST_CERTIFICATES;
    int result = gnutls_pcert_list_import_x509_raw(identity->chain, &count, text, GNUTLS_X509_FMT_PEM, 0);
    if (result < 0)
        return result;
    identity->count = count;
    gnutls_x509_crt_t own = NULL;
    result = gnutls_pcert_export_x509(&identity->chain[0], &own);
    if (result < 0)
        return result;
    identity->expiry = (int64_t)gnutls_x509_crt_get_expiration_time(own);
    gnutls_x509_crt_deinit(own);
    return 0;
}

static int read_key(struct identity *identity, const gnutls_datum_t *text) {
    int result = gnutls_privkey_init(&identity->key);
    if (result < 0)
        return result;
    return gnutls_privkey_import_x509_raw(identity->key, text, GNUTLS_X509_FMT_PEM, NULL, 0);
}

static int key_identifier(gnutls_pubkey_t key, unsigned char *output, size_t *length) {
    return gnutls_pubkey_get_key_id(key, 0, output, length);
}

static int is_pair(struct identity *identity) {
    unsigned char own[64], other[64];
    size_t own_length = sizeof own, other_length = sizeof other;
    gnutls_pubkey_t public_key = NULL;
    if (gnutls_pubkey_init(&public_key) < 0)
        return 0;
    int is = gnutls_pubkey_import_privkey(public_key, identity->key, 0, 0) >= 0 &&
             key_identifier(public_key, own, &own_length) >= 0 &&
             key_identifier(identity->chain[0].pubkey, other, &other_length) >= 0 && own_length == other_length &&
             memcmp(own, other, own_length) == 0;
    gnutls_pubkey_deinit(public_key);
    return is;
}

static enum vaka_tls_result read_identity(struct identity *identity, const gnutls_datum_t *chain,
                                          const gnutls_datum_t *key, const char **reason) {
    int result = read_chain(identity, chain);
    if (result >= 0) {
        result = read_key(identity, key);
        if (result >= 0)
            return is_pair(identity) ? VAKA_TLS_DONE : VAKA_TLS_OTHER_KEY;
        *reason = gnutls_strerror(result);
        return VAKA_TLS_NO_KEY;
    }
    *reason = gnutls_strerror(result);
    return VAKA_TLS_NO_CERTIFICATE;
}

enum vaka_tls_result vaka_tls_use(const void *chain, size_t chain_length, const void *key, size_t key_length,
                                  const char **reason) {
    *reason = NULL;
    struct identity *identity = calloc(1, sizeof *identity);
    if (identity == NULL)
        return VAKA_TLS_NO_MEMORY;
    const gnutls_datum_t chain_text = {(unsigned char *)chain, (unsigned int)chain_length};
    const gnutls_datum_t key_text = {(unsigned char *)key, (unsigned int)key_length};
    enum vaka_tls_result result = read_identity(identity, &chain_text, &key_text, reason);
    if (result == VAKA_TLS_DONE) {
        atomic_store(&current, identity);
    } else {
        identity_destroy(identity);
    }
    return result;
}

int64_t vaka_tls_expiry(void) {
    const struct identity *identity = atomic_load(&current);
    return identity != NULL ? identity->expiry : -1;
}

static int retrieve(gnutls_session_t session, const gnutls_datum_t *authorities, int authority_count,
                    const gnutls_pk_algorithm_t *algorithms, int algorithm_count, gnutls_pcert_st **chain,
                    unsigned int *count, gnutls_privkey_t *key) {
    (void)session, (void)authorities, (void)authority_count, (void)algorithms, (void)algorithm_count;
    struct identity *identity = atomic_load(&current);
    if (identity == NULL)
        return -1;
    *chain = identity->chain;
    *count = identity->count;
    *key = identity->key;
    return 0;
}

void *vaka_tls_certificate_callback(void) {
    gnutls_certificate_retrieve_function2 *function = retrieve;
    return (void *)function;
}

int vaka_tls_finish(void *session, const void *bytes, size_t length) {
    ssize_t sent = gnutls_record_send(session, bytes, length);
    if (sent < 0 || (size_t)sent != length)
        return -1;
    return gnutls_bye(session, GNUTLS_SHUT_WR) < 0 ? -1 : 0;
}
