/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups in a symbol cache (docs/symbol-cache-format.md), which may be damaged: then answers are wrong or empty, no more.
 *
 * Nothing here allocates or keeps state: a cache may be used by any number of threads while its bytes stay. */
#ifndef VAKA_SYMBOL_CACHE_H
#define VAKA_SYMBOL_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Levels that one address can have; what is deeper is left out. */
#define VAKA_MOST_LEVELS 256

struct vaka_cache_text {
    const char *_Nullable start;
    size_t size;
};

/* An open cache: pointers into its bytes, with their bounds. */
struct vaka_symbol_cache {
    const uint8_t *_Nullable bytes;
    const struct vaka_cache_header *_Nullable header;
    const struct vaka_cache_region *_Nullable regions;
    const uint32_t *_Nullable buckets;
    const uint8_t *_Nullable offsets;
    const struct vaka_cache_entry *_Nullable entries;
    const struct vaka_cache_node *_Nullable nodes;
    const struct vaka_cache_place *_Nullable places;
    const struct vaka_cache_file *_Nullable files;
    const uint8_t *_Nullable checksums;
    const struct vaka_cache_ambiguous *_Nullable ambiguous;
    const struct vaka_cache_candidate *_Nullable candidates;
    const struct vaka_cache_companion *_Nullable companions;
    const uint8_t *_Nullable texts;
    uint32_t region_count;
    uint32_t bucket_count;
    uint32_t entry_count;
    uint32_t node_count;
    uint32_t place_count;
    uint32_t file_count;
    uint32_t checksum_count;
    uint32_t ambiguous_count;
    uint32_t candidate_count;
    uint32_t companion_count;
    uint32_t text_size;
    uint32_t first_symbol_node;
};

enum vaka_cache_status {
    VAKA_CACHE_OPEN,
    /* The bytes do not begin as a cache does. */
    VAKA_CACHE_OTHER,
    /* Of a later version of the format. */
    VAKA_CACHE_NEWER,
    /* The bytes end before the cache does. */
    VAKA_CACHE_CUT,
    /* The header or the table of parts is not as it was written. */
    VAKA_CACHE_DAMAGED,
};

/* Checks the header, its checksum and the bounds of all parts; of the parts' contents nothing. `bytes` at a multiple of 8. */
enum vaka_cache_status vaka_symbol_cache_open(struct vaka_symbol_cache *_Nonnull cache, const uint8_t *_Nonnull bytes,
                                              size_t size);

/* Compares the checksums of all parts; the number of the first that differs, or -1. */
int vaka_symbol_cache_verify(const struct vaka_symbol_cache *_Nonnull cache);
const char *_Nonnull vaka_symbol_cache_part_name(unsigned part);

/* One level at an address. Texts point into the cache and are not ended by NUL. */
struct vaka_cache_frame {
    struct vaka_cache_text name;
    /* Readable, where demanglers may not know the name. */
    struct vaka_cache_text readable;
    /* The path is `folder`, "/" and `file`; the folder may be empty. */
    struct vaka_cache_text folder;
    struct vaka_cache_text file;
    uint32_t line;
    uint32_t column;
    /* Of the file: 16 bytes, or NULL. */
    const uint8_t *_Nullable md5;
    /* The level's number in the cache; 0 for code that only has lines. */
    uint32_t node;
    bool is_inlined;
    /* The name is from the symbol table alone. */
    bool is_symbol;
    /* The place is that of the nearest code of the same level, as its own has no line. */
    bool is_nearest;
};

/* The levels at a linked address, innermost first; how many. None where nothing is known.
 *
 * With `nearest`, levels without a line get the nearest one of the same level of the same function. */
size_t vaka_symbol_cache_lookup(const struct vaka_symbol_cache *_Nonnull cache, uint64_t address, bool nearest,
                                struct vaka_cache_frame *_Nonnull frames, size_t capacity);

/* The addresses around one that belong to the same function without a gap; false where nothing is known. */
bool vaka_symbol_cache_stretch(const struct vaka_symbol_cache *_Nonnull cache, uint64_t address,
                               uint64_t *_Nonnull start, uint64_t *_Nonnull end);

struct vaka_other_name {
    struct vaka_cache_text name;
    /* Another function of the debug information; else another symbol. */
    bool is_folded;
};

/* The other names of the code at an address; how many. */
size_t vaka_symbol_cache_other_names(const struct vaka_symbol_cache *_Nonnull cache, uint64_t address,
                                     struct vaka_other_name *_Nonnull names, size_t capacity);

/* Another file that the cache was made from; `size` is UINT64_MAX for one that was missing. */
bool vaka_symbol_cache_companion(const struct vaka_symbol_cache *_Nonnull cache, size_t index,
                                 struct vaka_cache_text *_Nonnull path, uint64_t *_Nonnull size);

struct vaka_cache_facts {
    uint32_t version;
    uint64_t size;
    uint64_t first_address;
    uint64_t source_size;
    uint64_t code_size;
    uint16_t machine;
    bool is_64_bit;
    bool has_debug_info;
    bool has_symbols;
    const uint8_t *_Nonnull build_id;
    size_t build_id_size;
    uint32_t text_bytes;
};

struct vaka_cache_facts vaka_symbol_cache_facts(const struct vaka_symbol_cache *_Nonnull cache);

/* Reads all levels. */
uint32_t vaka_symbol_cache_function_count(const struct vaka_symbol_cache *_Nonnull cache);

#endif
