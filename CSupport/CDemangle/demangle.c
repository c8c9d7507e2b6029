/* SPDX-License-Identifier: Apache-2.0 */
#include "vaka_demangle.h"

#include <setjmp.h>
#include <stdint.h>
#include <string.h>

/* libstdc++: the demangler that hands its output over piece by piece and allocates on the stack only, so that leaving
 * it by longjmp from the callback loses nothing. */
int __gcclibcxx_demangle_callback(const char *name, void (*callback)(const char *, size_t, void *), void *context);

/* The Swift runtime. The second is its system interface for backtraces and may go: hence weak. */
char *swift_demangle(const char *name, size_t length, char *out, size_t *capacity, uint32_t flags);
__attribute__((weak)) char *_swift_backtrace_demangle(const char *name, size_t length, char *out, size_t *capacity);

struct sink {
    char *out;
    size_t capacity;
    size_t used;
    jmp_buf overflow;
};

static void append(const char *text, size_t length, void *context) {
    struct sink *sink = context;
    if (length >= sink->capacity - sink->used) {
        longjmp(sink->overflow, 1);
    }
    memcpy(sink->out + sink->used, text, length);
    sink->used += length;
}

size_t vaka_demangle_cxx(const char *name, char *out, size_t capacity) {
    struct sink sink = {.out = out, .capacity = capacity, .used = 0};
    if (capacity == 0 || setjmp(sink.overflow) != 0) {
        return 0;
    }
    if (__gcclibcxx_demangle_callback(name, append, &sink) != 0) {
        return 0;
    }
    out[sink.used] = '\0';
    return sink.used;
}

/* Both Swift entry points cut what does not fit; a cut name is no name. */
static size_t whole(const char *result, const char *out, size_t capacity) {
    if (result == NULL) {
        return 0;
    }
    size_t length = strnlen(out, capacity);
    return length + 1 < capacity ? length : 0;
}

size_t vaka_demangle_swift(const char *name, size_t length, char *out, size_t capacity) {
    if (capacity == 0) {
        return 0;
    }
    if (_swift_backtrace_demangle == NULL) {
        return vaka_demangle_swift_full(name, length, out, capacity);
    }
    size_t size = capacity;
    return whole(_swift_backtrace_demangle(name, length, out, &size), out, capacity);
}

size_t vaka_demangle_swift_full(const char *name, size_t length, char *out, size_t capacity) {
    if (capacity == 0) {
        return 0;
    }
    size_t size = capacity;
    return whole(swift_demangle(name, length, out, &size, 0), out, capacity);
}
