/* SPDX-License-Identifier: Apache-2.0 */
/* PostgreSQL's client library. Provider: libpq-dev. */
#ifndef VAKA_CPOSTGRES_SHIM_H
#define VAKA_CPOSTGRES_SHIM_H
#include <libpq-fe.h>

/* Types of values, as the catalog pg_type numbers them for good. */
enum {
    VAKA_PG_BOOL = 16,
    VAKA_PG_BYTEA = 17,
    VAKA_PG_INT8 = 20,
    VAKA_PG_INT2 = 21,
    VAKA_PG_INT4 = 23,
    VAKA_PG_TEXT = 25,
    VAKA_PG_FLOAT8 = 701,
    VAKA_PG_NUMERIC = 1700
};

/* Notices are for people at a terminal. */
static inline void vaka_pg_ignore_notice(void *context, const PGresult *result) {
    (void)context;
    (void)result;
}
static inline void vaka_pg_silence(PGconn *connection) {
    PQsetNoticeReceiver(connection, vaka_pg_ignore_notice, NULL);
}
#endif
