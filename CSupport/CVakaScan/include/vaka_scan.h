/* SPDX-License-Identifier: Apache-2.0 */
/* One walk over a JSON text (RFC 8259): checks it, finds the values that are asked for, and tells which texts and numbers
   may hold a secret. No state but the arguments; thread-safe. */
#ifndef VAKA_SCAN_H
#define VAKA_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a rule's start that are looked at, and how many starts are told apart. */
#define VAKA_SCAN_START 12u
#define VAKA_SCAN_STARTS 256u

/* Which values a node's children are looked for in. */
enum vaka_scan_form {
    VAKA_SCAN_VALUE,
    /* The members of an object. */
    VAKA_SCAN_OBJECT,
    /* Those of each object in an array. */
    VAKA_SCAN_ARRAY,
    VAKA_SCAN_OBJECT_OR_ARRAY,
};

/* A value that is looked for, or a place of a document where texts mean something else. Node 1 of a tree is the document;
   node 0 is none, and stands for none. */
struct vaka_scan_node {
    const char *_Nullable name;
    uint32_t name_length;
    /* Elements of an array that are found; all are checked and counted. */
    uint32_t most;
    /* A bit for each of its children, by vaka_scan_letter: most names are none of them. */
    uint64_t letters;
    uint16_t first_child;
    uint16_t next;
    uint8_t form;
    /* A vaka_scan_place. */
    uint8_t place;
};

/* Below 64, of a name's first byte and length. */
static inline unsigned vaka_scan_letter(uint8_t first, size_t length) {
    return (first + 5 * (unsigned)length) & 63;
}

enum vaka_scan_place {
    VAKA_SCAN_TEXT,
    /* The name of a function. */
    VAKA_SCAN_FUNCTION,
    /* Bytes of memory in base64: told whatever it holds. */
    VAKA_SCAN_MEMORY,
    /* A file in base64: the same. */
    VAKA_SCAN_FILE,
    /* All texts and numbers of such a value go. */
    VAKA_SCAN_DROPPED,
    /* The same for a member with a name that stands for a secret. */
    VAKA_SCAN_SECRET,
    /* An address: told whatever it holds. */
    VAKA_SCAN_ADDRESS,
};

/* Where secrets may begin, and names that stand for secrets. Made once, then only read. */
struct vaka_scan_rules;

/* NULL for want of memory. */
struct vaka_scan_rules *_Nullable vaka_scan_rules_create(void);
void vaka_scan_rules_free(struct vaka_scan_rules *_Nullable rules);
/* A start has an index below VAKA_SCAN_STARTS; several may share one. It begins a text's rule or a name. */
void vaka_scan_rules_begin(struct vaka_scan_rules *_Nonnull rules, uint32_t start, bool is_name);
/* The byte may stand at a place, below VAKA_SCAN_START, of the start. */
void vaka_scan_rules_allow(struct vaka_scan_rules *_Nonnull rules, uint32_t start, uint32_t place, uint8_t byte);
/* The start does not stand right behind the byte. */
void vaka_scan_rules_forbid(struct vaka_scan_rules *_Nonnull rules, uint32_t start, uint8_t byte);
/* A name, in lowercase and without separators, that stands for a secret wherever it is in a name, or at its end only, or
   if it is the whole. False for want of memory. */
bool vaka_scan_rules_add(struct vaka_scan_rules *_Nonnull rules, const uint8_t *_Nonnull name, size_t length,
                         bool is_whole, bool is_end);
/* After all of these. */
void vaka_scan_rules_finish(struct vaka_scan_rules *_Nonnull rules);

struct vaka_scan_found {
    /* The value with its quotes or brackets. */
    uint32_t start, end;
    /* Index of the first record that is not of this value. */
    uint32_t next;
    uint32_t elements;
    uint16_t node;
    /* Whether it is what its node's form says: an object or an array. */
    bool is_container;
};

struct vaka_scan_suspect {
    /* With its quotes. */
    uint32_t start, end;
    uint8_t place;
    bool has_escapes;
};

struct vaka_scan_result {
    struct vaka_scan_found *_Nullable found;
    size_t found_count;
    struct vaka_scan_suspect *_Nullable suspects;
    size_t suspect_count;
    /* NULL where all is well; else what is wrong, and where. */
    const char *_Nullable problem;
    size_t offset;
    bool is_too_deep;
};

struct vaka_scan_request {
    const uint8_t *_Nullable bytes;
    size_t count;
    /* What nothing may be nested deeper than. */
    uint32_t deepest;
    /* NULL: nothing is looked for. */
    const struct vaka_scan_node *_Nullable find;
    /* NULL: no suspects. */
    const struct vaka_scan_rules *_Nullable rules;
    const struct vaka_scan_node *_Nullable places;
    /* Without the vectors of the processor. */
    bool is_plain;
};

/* The result is to be freed, whatever it says. */
struct vaka_scan_result vaka_scan(const struct vaka_scan_request *_Nonnull request);
void vaka_scan_free(struct vaka_scan_result *_Nonnull result);

/* Whether all is base64, whole and padded at its end only. */
bool vaka_scan_is_base64(const uint8_t *_Nullable bytes, size_t count);

#endif
