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
/* The lesser and the greater of two values; of null and another the other. */
static inline void vaka_sqlite_choose(sqlite3_context *context, sqlite3_value *first, sqlite3_value *second,
                                      int least) {
    if (sqlite3_value_type(first) == SQLITE_NULL) {
        sqlite3_result_value(context, second);
    } else if (sqlite3_value_type(second) == SQLITE_NULL) {
        sqlite3_result_value(context, first);
    } else {
        int is_less = sqlite3_value_int64(first) < sqlite3_value_int64(second);
        sqlite3_result_value(context, is_less == least ? first : second);
    }
}
static inline void vaka_sqlite_least(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    vaka_sqlite_choose(context, values[0], values[1], 1);
}
static inline void vaka_sqlite_greatest(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    vaka_sqlite_choose(context, values[0], values[1], 0);
}
static inline void vaka_sqlite_add_functions(sqlite3 *database) {
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    sqlite3_create_function(database, "least", 2, flags, NULL, vaka_sqlite_least, NULL, NULL);
    sqlite3_create_function(database, "greatest", 2, flags, NULL, vaka_sqlite_greatest, NULL, NULL);
}
#endif
