/* SPDX-License-Identifier: Apache-2.0 */
/* The system's demanglers behind bounds: names come from files that nobody vouches for. */
#ifndef VAKA_DEMANGLE_H
#define VAKA_DEMANGLE_H

#include <stddef.h>

/* Writes the demangled form of an Itanium C++ name (`_Z…`) and its NUL into out. Returns its length, or 0 when
 * the name is not one or its demangled form does not fit. Bounded in time and memory by capacity: a name whose
 * substitutions would expand without end is given up. Any thread; needs about 64 bytes of stack a character. */
size_t vaka_demangle_cxx(const char *_Nonnull name, char *_Nonnull out, size_t capacity);

/* The same for a Swift name (`$s…`, `$S…`, `_T0…`, `_$s…`), in the short form of the runtime's own backtraces: labels
 * but no types or modules. Falls back to the full form where the runtime has no short one. */
size_t vaka_demangle_swift(const char *_Nonnull name, size_t length, char *_Nonnull out, size_t capacity);

/* The full form, with types and modules. */
size_t vaka_demangle_swift_full(const char *_Nonnull name, size_t length, char *_Nonnull out, size_t capacity);

#endif
