/* SPDX-License-Identifier: Apache-2.0 */
#include "scan.h"
#include "seen.h"

#include <stdlib.h>
#include <string.h>

enum { FAILED = -1, LONGEST_ESCAPED_NAME = 256, FIRST_ROOM = 64 };

/* What is known where the walk is: nodes of the trees, 0 for none, and why texts and numbers go, 0 where they stay. */
struct scope {
    uint32_t depth;
    uint16_t find, place;
    uint8_t gone;
};

struct text {
    size_t start, end;
    bool has_escapes;
};

struct walk {
    const struct vaka_scan_request *request;
    const uint8_t *bytes;
    size_t count, position;
    struct scan_index index;
    struct vaka_scan_result result;
    size_t found_room, suspect_room;
    /* Texts in which no rule begins, and names that stand for no secret. */
    struct scan_seen texts, names;
};

static bool value(struct walk *walk, struct scope scope);

static bool fail(struct walk *walk, const char *problem) {
    walk->result.problem = problem;
    walk->result.offset = walk->position;
    return false;
}

static inline int byte_at(const struct walk *walk) {
    return walk->position < walk->count ? walk->bytes[walk->position] : FAILED;
}

static inline bool take(struct walk *walk, uint8_t byte) {
    if (byte_at(walk) != byte)
        return false;
    walk->position++;
    return true;
}

/* Most texts have no space. */
static inline int past_space(struct walk *walk) {
    size_t at = walk->position;
    int byte = at < walk->count ? walk->bytes[at] : FAILED;
    if (__builtin_expect(byte > ' ' || byte == FAILED, 1))
        return byte;
    while (byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t')
        byte = ++at < walk->count ? walk->bytes[at] : FAILED;
    walk->position = at;
    return byte;
}

static bool reaches(struct walk *walk, struct scope scope) {
    if (scope.depth < walk->request->deepest)
        return true;
    walk->result.is_too_deep = true;
    return fail(walk, "nested too deep");
}

/* Room for one more; the element, or NULL for want of memory. */
static void *add(struct walk *walk, void **elements, size_t *count, size_t *room, size_t size) {
    if (*count == *room) {
        size_t wanted = *room ? *room * 2 : FIRST_ROOM;
        void *larger = realloc(*elements, wanted * size);
        if (!larger) {
            fail(walk, "there is no memory to read it");
            return NULL;
        }
        *elements = larger;
        *room = wanted;
    }
    return (uint8_t *)*elements + (*count)++ * size;
}

static bool suspect(struct walk *walk, size_t start, uint8_t place, bool has_escapes) {
    struct vaka_scan_suspect *suspect =
        add(walk, (void **)&walk->result.suspects, &walk->result.suspect_count, &walk->suspect_room, sizeof *suspect);
    if (!suspect)
        return false;
    *suspect = (struct vaka_scan_suspect){(uint32_t)start, (uint32_t)walk->position, place, has_escapes};
    return true;
}

static bool escape(struct walk *walk, struct text *text) {
    walk->position++;
    text->has_escapes = true;
    int kind = byte_at(walk);
    if (kind <= 0 || !strchr("\"\\/bfnrtu", kind))
        return fail(walk, "an unknown escape");
    walk->position++;
    for (unsigned i = 0; kind == 'u' && i < 4; i++, walk->position++) {
        int digit = byte_at(walk);
        if (!((digit >= '0' && digit <= '9') || ((digit | 0x20) >= 'a' && (digit | 0x20) <= 'f' && digit > 0)))
            return fail(walk, "four hexadecimal digits are expected");
    }
    return true;
}

static bool unusual_string(struct walk *walk, struct text *text) {
    for (;;) {
        walk->position = scan_next(walk->index.special, walk->position, walk->count);
        switch (byte_at(walk)) {
        case '"':
            text->end = walk->position++;
            return true;
        case '\\':
            if (!escape(walk, text))
                return false;
            break;
        case FAILED:
            return fail(walk, "a string is not closed");
        default:
            return fail(walk, "a control character in a string");
        }
    }
}

/* Past a string, whose first quote is next. */
static inline bool string(struct walk *walk, struct text *text) {
    size_t start = walk->position + 1, end = scan_next(walk->index.special, start, walk->count);
    *text = (struct text){start, end, false};
    if (end < walk->count && walk->bytes[end] == '"') {
        walk->position = end + 1;
        return true;
    }
    walk->position = start;
    return unusual_string(walk, text);
}

/* Past one of the words that are values; false where none is next. */
static inline bool take_word(struct walk *walk) {
    const uint8_t *bytes = walk->bytes + walk->position;
    if (walk->count - walk->position < 5)
        return false;
    if (memcmp(bytes, "null", 4) == 0 || memcmp(bytes, "true", 4) == 0)
        walk->position += 4;
    else if (memcmp(bytes, "false", 5) == 0)
        walk->position += 5;
    else
        return false;
    return true;
}

static bool word(struct walk *walk, const char *word, const char *problem) {
    for (; *word; word++)
        if (!take(walk, (uint8_t)*word))
            return fail(walk, problem);
    return true;
}

static bool digits(struct walk *walk) {
    size_t start = walk->position;
    while (byte_at(walk) >= '0' && byte_at(walk) <= '9')
        walk->position++;
    return walk->position > start || fail(walk, "a digit is expected");
}

static bool number(struct walk *walk, struct scope scope) {
    size_t start = walk->position;
    take(walk, '-');
    if (!take(walk, '0') && !digits(walk))
        return false;
    if (take(walk, '.') && !digits(walk))
        return false;
    if (take(walk, 'e') || take(walk, 'E')) {
        if (!take(walk, '+'))
            take(walk, '-');
        if (!digits(walk))
            return false;
    }
    return scope.gone == 0 || suspect(walk, start, scope.gone, false);
}

/* Texts come in their order: what lies between those that are asked for is left out. */
static inline bool has_candidates(struct walk *walk, const struct text *text) {
    struct scan_index *index = &walk->index;
    if (text->start == text->end)
        return false;
    if (text->start >> 6 > index->next)
        index->next = text->start >> 6;
    if (index->next << 6 < text->end)
        scan_index_candidates(index, walk->request, text->end);
    return scan_any(index->candidates, text->start, text->end);
}

static bool may_match(struct walk *walk, const struct text *text) {
    size_t length = text->end - text->start;
    unsigned place;
    if (length == 0 || scan_is_seen(&walk->texts, walk->bytes, walk->count, text->start, length, &place))
        return false;
    if (has_candidates(walk, text) && scan_may_match(walk->request, &walk->index, text->start, text->end))
        return true;
    scan_remember(&walk->texts, text->start, length, place);
    return false;
}

static bool is_secret_name(struct walk *walk, const struct text *name) {
    size_t length = name->end - name->start;
    unsigned place;
    if (length == 0 || scan_is_seen(&walk->names, walk->bytes, walk->count, name->start, length, &place))
        return false;
    if (has_candidates(walk, name) && scan_is_secret_name(walk->request, &walk->index, name->start, name->end))
        return true;
    scan_remember(&walk->names, name->start, length, place);
    return false;
}

static bool text_value(struct walk *walk, struct scope scope) {
    struct text text;
    if (!string(walk, &text))
        return false;
    if (!walk->request->rules || text.start == text.end)
        return true;
    if (scope.gone)
        return suspect(walk, text.start - 1, scope.gone, text.has_escapes);
    uint8_t place = scope.place ? walk->request->places[scope.place].place : VAKA_SCAN_TEXT;
    bool is_whole = place == VAKA_SCAN_FILE || place == VAKA_SCAN_MEMORY || place == VAKA_SCAN_ADDRESS;
    bool is_told = is_whole || text.has_escapes || may_match(walk, &text);
    return !is_told || suspect(walk, text.start - 1, place, text.has_escapes);
}

static bool is_named(const struct vaka_scan_node *node, const uint8_t *name, size_t length) {
    return node->name_length == length && (length == 0 || node->name[0] == (char)name[0]) &&
           memcmp(node->name, name, length) == 0;
}

static uint16_t child(const struct vaka_scan_node *tree, uint16_t parent, const uint8_t *name, size_t length) {
    if (!(tree[parent].letters >> vaka_scan_letter(length ? name[0] : 0, length) & 1))
        return 0;
    uint16_t node = tree[parent].first_child;
    while (node && !is_named(&tree[node], name, length))
        node = tree[node].next;
    return node;
}

/* Why the member's texts and numbers go. */
static uint8_t secrecy(struct walk *walk, const struct text *name, uint8_t gone, uint16_t place, bool is_secret) {
    const struct vaka_scan_request *request = walk->request;
    if (gone || !request->rules)
        return gone;
    if (place && request->places[place].place == VAKA_SCAN_DROPPED)
        return VAKA_SCAN_DROPPED;
    return is_secret || is_secret_name(walk, name) ? VAKA_SCAN_SECRET : 0;
}

/* What holds for the value of the member. */
static struct scope member(struct walk *walk, const struct text *name, struct scope scope) {
    const uint8_t *start = walk->bytes + name->start;
    size_t length = name->end - name->start;
    uint8_t plain[LONGEST_ESCAPED_NAME];
    bool is_secret = false;
    if (__builtin_expect(name->has_escapes, 0)) {
        length = scan_unescape(start, length, plain, sizeof plain);
        start = plain;
        if (length > sizeof plain)
            length = 0;
        is_secret = walk->request->rules && scan_is_secret_word(walk->request->rules, plain, length);
    }
    struct scope inner = {.depth = scope.depth + 1};
    if (scope.find)
        inner.find = child(walk->request->find, scope.find, start, length);
    if (scope.place)
        inner.place = child(walk->request->places, scope.place, start, length);
    inner.gone = secrecy(walk, name, scope.gone, inner.place, is_secret);
    return inner;
}

static struct vaka_scan_found *take_down(struct walk *walk, uint16_t node, bool is_container) {
    struct vaka_scan_found *found =
        add(walk, (void **)&walk->result.found, &walk->result.found_count, &walk->found_room, sizeof *found);
    if (found)
        *found =
            (struct vaka_scan_found){.start = (uint32_t)walk->position, .node = node, .is_container = is_container};
    return found;
}

static void close_record(struct walk *walk, size_t record) {
    walk->result.found[record].end = (uint32_t)walk->position;
    walk->result.found[record].next = (uint32_t)walk->result.found_count;
}

/* The value that comes next, taken down where its node asks for it. */
static bool found_value(struct walk *walk, struct scope scope) {
    if (!scope.find)
        return value(walk, scope);
    size_t record = walk->result.found_count;
    uint8_t form = walk->request->find[scope.find].form;
    int first = byte_at(walk);
    bool is_container = (form == VAKA_SCAN_OBJECT && first == '{') || (form == VAKA_SCAN_ARRAY && first == '[');
    if (!take_down(walk, scope.find, is_container) || !value(walk, scope))
        return false;
    close_record(walk, record);
    return true;
}

static inline bool ends(struct walk *walk, uint8_t end, const char *problem, bool *is_end) {
    int byte = past_space(walk);
    *is_end = byte == end;
    if (byte != end && byte != ',')
        return fail(walk, problem);
    walk->position++;
    return true;
}

/* The node whose children an object's members are; 0 where they are none. */
static uint16_t within(const struct vaka_scan_node *tree, uint16_t node, bool is_element) {
    if (!node)
        return 0;
    uint8_t form = tree[node].form;
    return form == VAKA_SCAN_OBJECT_OR_ARRAY || form == (is_element ? VAKA_SCAN_ARRAY : VAKA_SCAN_OBJECT) ? node : 0;
}

static bool object(struct walk *walk, struct scope scope, bool is_element) {
    scope.find = within(walk->request->find, scope.find, is_element);
    scope.place = within(walk->request->places, scope.place, is_element);
    walk->position++;
    bool is_end = past_space(walk) == '}';
    walk->position += is_end;
    while (!is_end) {
        struct text name;
        if (past_space(walk) != '"')
            return fail(walk, "a member's name in quotes is expected");
        if (!string(walk, &name))
            return false;
        if (past_space(walk) != ':')
            return fail(walk, "a colon is expected");
        walk->position++;
        past_space(walk);
        /* What a word's name says does not matter. */
        bool is_word = !scope.find && scope.depth + 1 < walk->request->deepest && take_word(walk);
        if ((!is_word && !found_value(walk, member(walk, &name, scope))) ||
            !ends(walk, '}', "a comma or the object's end is expected", &is_end))
            return false;
    }
    return true;
}

/* An element of an array. Where elements are looked for, each has a record of the array's own node. */
static bool element(struct walk *walk, struct scope scope, uint32_t number) {
    bool is_object = byte_at(walk) == '{';
    size_t record = walk->result.found_count;
    bool is_found = scope.find && number < walk->request->find[scope.find].most;
    if (is_found && !take_down(walk, scope.find, is_object))
        return false;
    if (!is_found || !is_object)
        scope.find = 0;
    if (scope.place && byte_at(walk) == '[' && walk->request->places[scope.place].form == VAKA_SCAN_ARRAY)
        scope.place = 0;
    if (!is_object ? !value(walk, scope) : !reaches(walk, scope) || !object(walk, scope, true))
        return false;
    if (is_found)
        close_record(walk, record);
    return true;
}

static uint16_t around(const struct vaka_scan_node *tree, uint16_t node) {
    uint8_t form = node ? tree[node].form : VAKA_SCAN_VALUE;
    return form == VAKA_SCAN_ARRAY || form == VAKA_SCAN_OBJECT_OR_ARRAY ? node : 0;
}

static bool array(struct walk *walk, struct scope scope) {
    /* Its record is the last one. */
    size_t record = walk->result.found_count - 1;
    uint32_t elements = 0;
    struct scope inner = {scope.depth + 1, around(walk->request->find, scope.find),
                          around(walk->request->places, scope.place), scope.gone};
    walk->position++;
    bool is_end = past_space(walk) == ']';
    walk->position += is_end;
    while (!is_end) {
        past_space(walk);
        if (!element(walk, inner, elements++) || !ends(walk, ']', "a comma or the array's end is expected", &is_end))
            return false;
    }
    if (inner.find)
        walk->result.found[record].elements = elements;
    return true;
}

static bool value(struct walk *walk, struct scope scope) {
    if (!reaches(walk, scope))
        return false;
    int byte = byte_at(walk);
    switch (byte) {
    case '{':
        return object(walk, scope, false);
    case '[':
        return array(walk, scope);
    case '"':
        return text_value(walk, scope);
    case 't':
        return word(walk, "true", "true is expected");
    case 'f':
        return word(walk, "false", "false is expected");
    case 'n':
        return word(walk, "null", "null is expected");
    case FAILED:
        return fail(walk, "the text ends where a value is expected");
    default:
        return byte == '-' || (byte >= '0' && byte <= '9') ? number(walk, scope) : fail(walk, "a value is expected");
    }
}

static bool document(struct walk *walk) {
    struct scope scope = {0, walk->request->find ? 1 : 0, walk->request->places ? 1 : 0, 0};
    past_space(walk);
    if (!found_value(walk, scope))
        return false;
    past_space(walk);
    return walk->position == walk->count || fail(walk, "something follows the document");
}

struct vaka_scan_result vaka_scan(const struct vaka_scan_request *request) {
    struct walk walk = {.request = request, .bytes = request->bytes, .count = request->count};
    /* Places are told in 32 bits. */
    if (request->count >= UINT32_MAX || !scan_index_init(&walk.index, request)) {
        fail(&walk, "there is no memory to read it");
        return walk.result;
    }
    document(&walk);
    scan_index_deinit(&walk.index);
    return walk.result;
}

void vaka_scan_free(struct vaka_scan_result *result) {
    free(result->found);
    free(result->suspects);
}
