/* SPDX-License-Identifier: Apache-2.0 */
#include "merge.h"

/* Enough to tell a person that a name is one of many. */
#define MOST_CANDIDATES 64

struct search {
    struct vaka_merge *merge;
    uint32_t first;
    /* The name that is shown. */
    uint32_t name;
    uint32_t next_function;
    uint32_t next_node;
};

static bool add(struct search *search, uint32_t name, uint32_t kind) {
    struct vaka_merge *merge = search->merge;
    if (name == 0 || name == search->name || merge->candidates.count - search->first >= MOST_CANDIDATES) {
        return true;
    }
    for (uint32_t index = search->first; index < merge->candidates.count; index++) {
        if (merge->candidates.items[index].name == name) {
            merge->candidates.items[index].kind |= kind;
            return true;
        }
    }
    struct vaka_cache_candidate *slot = vaka_push(&merge->candidates);
    if (slot == NULL) {
        return false;
    }
    *slot = (struct vaka_cache_candidate){name, kind};
    return true;
}

/* A label that names a part of the function that is shown: `serve.cold` of `serve`. */
static bool is_part(const struct search *search, struct vaka_bytes label) {
    struct vaka_bytes shown = vaka_texts_at(&search->merge->texts, search->name);
    return label.size > shown.size && label.start[shown.size] == '.' &&
           memcmp(label.start, shown.start, shown.size) == 0;
}

static bool add_symbols(struct search *search, const struct vaka_symbol_list *list, uint32_t place) {
    uint32_t index = vaka_symbols_from(list, place);
    for (unsigned seen = 0; seen < 4 * MOST_CANDIDATES && index < list->items.count; seen++, index++) {
        const struct vaka_symbol *symbol = &list->items.items[index];
        if (symbol->start != place) {
            break;
        }
        struct vaka_bytes name = vaka_symbol_name(list, index);
        /* Other labels say where something is, not what it is called. */
        if (symbol->rank < 9 && !is_part(search, name)) {
            continue;
        }
        if (!add(search, vaka_texts_add(&search->merge->texts, name, vaka_text_hash(name)), VAKA_CANDIDATE_ALIAS)) {
            return false;
        }
    }
    return true;
}

/* Functions of debug information that have the very same code. */
static bool add_folded(struct search *search, const struct vaka_piece *piece) {
    struct vaka_merge *merge = search->merge;
    const vaka_intervals *functions = &merge->functions;
    uint32_t *next = &search->next_function;
    while (*next < functions->count && functions->items[*next].start < piece->start) {
        ++*next;
    }
    for (uint32_t at = *next; at < functions->count && functions->items[at].start == piece->start; at++) {
        if (functions->items[at].end != piece->end) {
            continue;
        }
        uint32_t unit;
        const struct vaka_piece *other = vaka_merge_piece(merge, functions->items[at].id, &unit);
        uint32_t node = merge->merged.items[unit].node_base + other->node;
        if (!add(search, merge->nodes.items[node].name, VAKA_CANDIDATE_FOLDED)) {
            return false;
        }
    }
    return true;
}

static bool end(struct search *search, const struct vaka_stretch *stretch) {
    struct vaka_merge *merge = search->merge;
    if (merge->candidates.count == search->first) {
        return true;
    }
    struct vaka_cache_ambiguous *slot = vaka_push(&merge->ambiguous);
    if (slot == NULL) {
        return false;
    }
    *slot = (struct vaka_cache_ambiguous){stretch->start, stretch->end, search->first,
                                          merge->candidates.count - search->first};
    return true;
}

/* The number of a stretch's function; nodes of symbols come in the order of the stretches. */
static uint32_t node_of(struct vaka_merge *merge, const struct vaka_stretch *stretch, uint32_t *line_node,
                        uint32_t *symbol_node, const struct vaka_piece **piece) {
    uint32_t unit;
    *piece = NULL;
    switch (stretch->source) {
    case VAKA_SOURCE_FUNCTION:
        *piece = vaka_merge_piece(merge, stretch->piece, &unit);
        return merge->merged.items[unit].node_base + (*piece)->node;
    case VAKA_SOURCE_LINES:
        return stretch->symbol == UINT32_MAX ? 0 : (*line_node)++;
    default:
        return (*symbol_node)++;
    }
}

bool vaka_merge_ambiguity(struct vaka_merge *merge) {
    const struct vaka_symbols *symbols = &merge->debug->symbols;
    struct search search = {.merge = merge};
    uint32_t line_node = merge->first_line_node;
    uint32_t symbol_node = merge->first_symbol_node;
    for (uint32_t index = 0; index < merge->stretches.count; index++) {
        const struct vaka_stretch *stretch = &merge->stretches.items[index];
        const struct vaka_piece *piece;
        uint32_t node = node_of(merge, stretch, &line_node, &symbol_node, &piece);
        search.first = merge->candidates.count;
        search.name = merge->nodes.items[node].name;
        if (node == 0 || !add_symbols(&search, &symbols->list, stretch->start) ||
            !add_symbols(&search, &symbols->packed_list, stretch->start) ||
            (piece != NULL && !add_folded(&search, piece)) || !end(&search, stretch)) {
            if (node != 0) {
                return false;
            }
        }
    }
    return !merge->texts.has_failed;
}
