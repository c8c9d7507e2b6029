/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of a symbol cache; docs/symbol-cache-format.md says what it means. Little-endian, every part at a multiple of 8. */
#ifndef VAKA_CACHE_FORMAT_H
#define VAKA_CACHE_FORMAT_H

#include <stdint.h>

#define VAKA_CACHE_MAGIC "VAKASYMS"
#define VAKA_CACHE_VERSION 1
/* Bytes of code that one bucket covers. */
#define VAKA_CACHE_BUCKET 256

#define VAKA_CACHE_HAS_DEBUG_INFO 1u
#define VAKA_CACHE_HAS_SYMBOLS 2u
#define VAKA_CACHE_IS_64_BIT 4u

#define VAKA_CANDIDATE_ALIAS 0u
#define VAKA_CANDIDATE_FOLDED 1u

enum vaka_cache_part {
    VAKA_PART_REGIONS,
    VAKA_PART_BUCKETS,
    VAKA_PART_OFFSETS,
    VAKA_PART_ENTRIES,
    VAKA_PART_NODES,
    VAKA_PART_PLACES,
    VAKA_PART_FILES,
    VAKA_PART_CHECKSUMS,
    VAKA_PART_AMBIGUOUS,
    VAKA_PART_CANDIDATES,
    VAKA_PART_COMPANIONS,
    VAKA_PART_TEXTS,
    VAKA_PART_COUNT
};

struct vaka_cache_part_header {
    uint64_t offset;
    uint64_t size;
    /* CRC-32 of the part's bytes. */
    uint32_t checksum;
    uint32_t count;
};

struct vaka_cache_header {
    char magic[8];
    uint32_t version;
    uint32_t header_size;
    uint64_t file_size;
    /* CRC-32 of the header with this field 0. */
    uint32_t checksum;
    uint32_t flags;
    uint64_t first_address;
    uint64_t source_size;
    uint16_t machine;
    uint8_t build_id_size;
    uint8_t part_count;
    /* Nodes from here on are named by the symbol table alone. */
    uint32_t first_symbol_node;
    uint64_t reserved;
    uint8_t build_id[64];
    struct vaka_cache_part_header parts[VAKA_PART_COUNT];
};

struct vaka_cache_region {
    uint64_t address;
    uint32_t size;
    uint32_t first_bucket;
};

struct vaka_cache_entry {
    uint32_t node;
    uint32_t place;
};

struct vaka_cache_node {
    uint32_t parent;
    uint32_t name;
    uint32_t place;
    /* A readable name where demanglers may not know the linkage name; 0 for none. */
    uint32_t readable;
};

struct vaka_cache_place {
    uint32_t file;
    uint32_t line;
    uint16_t column;
    uint16_t reserved;
};

struct vaka_cache_file {
    uint32_t folder;
    uint32_t name;
    /* One more than the index of its MD5; 0 for none. */
    uint32_t checksum;
};

/* A stretch of code, by place, that has more names than one. */
struct vaka_cache_ambiguous {
    uint32_t start;
    uint32_t end;
    uint32_t first_candidate;
    uint32_t candidate_count;
};

struct vaka_cache_candidate {
    uint32_t name;
    uint32_t kind;
};

struct vaka_cache_companion {
    uint64_t size;
    uint32_t path;
    uint32_t reserved;
};

_Static_assert(sizeof(struct vaka_cache_part_header) == 24, "layout");
_Static_assert(sizeof(struct vaka_cache_header) == 128 + VAKA_PART_COUNT * 24, "layout");
_Static_assert(sizeof(struct vaka_cache_region) == 16, "layout");
_Static_assert(sizeof(struct vaka_cache_entry) == 8, "layout");
_Static_assert(sizeof(struct vaka_cache_node) == 16, "layout");
_Static_assert(sizeof(struct vaka_cache_place) == 12, "layout");
_Static_assert(sizeof(struct vaka_cache_file) == 12, "layout");
_Static_assert(sizeof(struct vaka_cache_ambiguous) == 16, "layout");
_Static_assert(sizeof(struct vaka_cache_candidate) == 8, "layout");
_Static_assert(sizeof(struct vaka_cache_companion) == 16, "layout");

#endif
