/* SPDX-License-Identifier: Apache-2.0 */
/* From the DWARF and the symbol tables of an ELF file to a symbol cache (docs/symbol-cache-format.md).
 *
 * All input is of unknown honesty: whatever the bytes hold, calls return, with less or with wrong names. Little-endian only. */
#ifndef VAKA_SYMBOLS_H
#define VAKA_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer names than any compiler writes are none. */
#define VAKA_LONGEST_TEXT 65536

struct vaka_bytes {
    const uint8_t *_Nullable start;
    size_t size;
};

/* The sections that are read, by the place of their bytes in `vaka_sections`; those of `.dwo` files by the same names. */
enum vaka_section {
    VAKA_SECTION_INFO,
    VAKA_SECTION_ABBREV,
    VAKA_SECTION_STR,
    VAKA_SECTION_LINE,
    VAKA_SECTION_LINE_STR,
    VAKA_SECTION_STR_OFFSETS,
    VAKA_SECTION_ADDR,
    VAKA_SECTION_RANGES,
    VAKA_SECTION_RNGLISTS,
    VAKA_SECTION_CU_INDEX,
    VAKA_SECTION_COUNT
};

/* Decompressed bytes, which must stay while what was made of them is used. */
struct vaka_sections {
    struct vaka_bytes section[VAKA_SECTION_COUNT];
};

/* A stretch of linked addresses that holds code. */
struct vaka_region {
    uint64_t address;
    uint64_t size;
};

/* A symbol table and its strings. */
struct vaka_symbol_table {
    struct vaka_bytes symbols;
    struct vaka_bytes strings;
};

struct vaka_debug_input {
    struct vaka_sections sections;
    /* Of the file that `.gnu_debugaltlink` names. */
    struct vaka_sections common;
    /* Sorted and apart from each other. */
    const struct vaka_region *_Nullable regions;
    size_t region_count;
    /* The file's own, and one that completes it (of `.gnu_debugdata`). */
    struct vaka_symbol_table symbols;
    struct vaka_symbol_table packed_symbols;
    bool is_64_bit;
};

/* The debug information of one file, its units indexed. Reading it from several threads is safe once all is attached. */
struct vaka_debug;

/* NULL when memory is short. */
struct vaka_debug *_Nullable vaka_debug_create(const struct vaka_debug_input *_Nonnull input);
void vaka_debug_destroy(struct vaka_debug *_Nullable debug);

size_t vaka_debug_unit_count(const struct vaka_debug *_Nonnull debug);

/* A unit whose functions are in another file. */
struct vaka_split {
    struct vaka_bytes name;
    struct vaka_bytes folder;
    uint64_t id;
    bool is_attached;
};

/* False where the unit is whole. */
bool vaka_debug_split(const struct vaka_debug *_Nonnull debug, size_t unit, struct vaka_split *_Nonnull split);

/* Takes the functions of a unit from the sections of its `.dwo` file; false where they are of something else. */
bool vaka_debug_attach(struct vaka_debug *_Nonnull debug, size_t unit, const struct vaka_sections *_Nonnull sections);

/* Takes the functions of all units that a `.dwp` package has; how many. */
size_t vaka_debug_attach_package(struct vaka_debug *_Nonnull debug, const struct vaka_sections *_Nonnull sections);

/* The units whose code has something in common with a stretch of addresses, at most `capacity` of them and ascending; how
 * many. */
size_t vaka_debug_units_between(struct vaka_debug *_Nonnull debug, uint64_t start, uint64_t end,
                                uint32_t *_Nonnull units, size_t capacity);

/* A source file that a line table names. */
struct vaka_source_file {
    struct vaka_bytes compilation_folder;
    struct vaka_bytes folder;
    struct vaka_bytes name;
    /* 16 bytes, or NULL. */
    const uint8_t *_Nullable md5;
    /* The folder counts from the compilation's. */
    bool is_relative;
};

/* Calls `visit` with the files of every line table, each table once, until it says false. */
typedef bool (*vaka_source_visitor)(void *_Nullable context, const struct vaka_source_file *_Nonnull file);
void vaka_debug_source_files(const struct vaka_debug *_Nonnull debug, vaka_source_visitor _Nonnull visit,
                             void *_Nullable context);

/* Identity that is copied into a cache's header. */
struct vaka_cache_identity {
    uint8_t build_id[64];
    uint32_t build_id_size;
    uint16_t machine;
    bool is_64_bit;
    uint64_t first_address;
    uint64_t file_size;
    /* What the cache was made from and did not find. */
    bool has_debug_info;
    bool has_symbols;
};

/* Another file that was read, or was looked for and not found. */
struct vaka_companion {
    struct vaka_bytes path;
    /* VAKA_COMPANION_MISSING where it was not found. */
    uint64_t size;
};

#define VAKA_COMPANION_MISSING UINT64_MAX

/* Which code without debug information is named by the symbol tables. */
enum vaka_symbol_scope { VAKA_SYMBOLS_ALL, VAKA_SYMBOLS_NONE, VAKA_SYMBOLS_BETWEEN };

struct vaka_build_options {
    struct vaka_cache_identity identity;
    /* Ascending; NULL for all. */
    const uint32_t *_Nullable units;
    size_t unit_count;
    unsigned threads;
    /* Bytes that the result and what leads to it may take; 0 for no bound. */
    uint64_t memory_limit;
    /* Whether the reader will make something of a linkage name; where not, the debug information's own name is kept too.
     * Called by the thread of the build. */
    bool (*_Nullable can_demangle)(const char *_Nonnull name, size_t size);
    enum vaka_symbol_scope symbols;
    /* Of the units, read the functions alone that have code between the addresses below, or the lines there. */
    bool is_focused;
    /* For these and for VAKA_SYMBOLS_BETWEEN. */
    uint64_t start_address;
    uint64_t end_address;
    /* The other files that the result depends on. */
    const struct vaka_companion *_Nullable companions;
    size_t companion_count;
};

enum vaka_build_status {
    VAKA_BUILD_DONE,
    VAKA_BUILD_NO_MEMORY,
    /* The bound of the options was reached. */
    VAKA_BUILD_TOO_LARGE,
};

/* Makes a cache in memory that `free` gives back. The same bytes from the same input, however many threads. */
enum vaka_build_status vaka_debug_build(struct vaka_debug *_Nonnull debug,
                                        const struct vaka_build_options *_Nonnull options,
                                        uint8_t *_Nullable *_Nonnull bytes, size_t *_Nonnull size);

#endif
