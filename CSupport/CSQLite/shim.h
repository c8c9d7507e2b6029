/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite. Provider: libsqlite3-dev. */
#ifndef VAKA_CSQLITE_SHIM_H
#define VAKA_CSQLITE_SHIM_H
#include <malloc.h>
#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift cannot import. */
static inline int vaka_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
    return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}
static inline int vaka_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *data, sqlite3_uint64 bytes) {
    return sqlite3_bind_blob64(statement, index, data, bytes, SQLITE_TRANSIENT);
}
/* A large search leaves what it freed with malloc, which gives nothing back by itself as long as something younger lives. */
static inline void vaka_sqlite_give_back_memory(void) {
    malloc_trim(0);
}
#endif
