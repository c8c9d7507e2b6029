/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of .eh_frame: a frame description entry (FDE) and the common information entry (CIE) that it names. */
#include "cfi.h"
#include "cursor.h"

#define LENGTH_IS_LONG 0xffffffffu
#define AUGMENTATION_MAX 16

struct entry_head {
    struct vaka_cursor content; /* behind the length, to the entry's end */
    uint64_t identity_at;       /* of the field that is 0 in a CIE, and the distance to one in an FDE */
    uint64_t identity;
};

/* END: the section's last entry, of length 0. */
static enum vaka_cfi_result read_head(uint64_t at, struct entry_head *head) {
    struct vaka_cursor cursor = {at, UINT64_MAX, false};
    uint64_t length = vaka_async_cursor_number(&cursor, 4);
    if (!cursor.failed && length == 0)
        return VAKA_CFI_END;
    if (length == LENGTH_IS_LONG)
        length = vaka_async_cursor_number(&cursor, 8);
    if (cursor.failed || length > UINT64_MAX - cursor.at)
        return VAKA_CFI_INVALID;
    cursor.end = cursor.at + length;
    head->identity_at = cursor.at;
    head->identity = vaka_async_cursor_number(&cursor, 4);
    head->content = cursor;
    return cursor.failed ? VAKA_CFI_INVALID : VAKA_CFI_FOUND;
}

/* Entries that follow one another mostly share theirs. */
static struct {
    uint64_t at; /* 0: none */
    bool has_size;
    struct vaka_cfi_entry entry;
} common;

void vaka_async_cfi_forget_common(void) {
    common.at = 0;
}

static bool read_augmentation(struct vaka_cursor *cursor, char text[AUGMENTATION_MAX]) {
    for (int i = 0; i < AUGMENTATION_MAX; i++) {
        text[i] = (char)vaka_async_cursor_number(cursor, 1);
        if (text[i] == 0)
            return !cursor->failed;
    }
    return false;
}

/* What the letters after the z say. A letter that is not known ends it: the length tells where the rest begins. */
static void apply_augmentation(struct vaka_cursor *cursor, const char *letters, struct vaka_cfi_entry *entry) {
    for (; *letters != 0; letters++) {
        switch (*letters) {
        case 'L': /* how the language's data is encoded */
            vaka_async_cursor_number(cursor, 1);
            break;
        case 'P': { /* the language's routine */
            uint8_t encoding = (uint8_t)vaka_async_cursor_number(cursor, 1);
            vaka_async_cursor_pointer(cursor, encoding, 0);
            break;
        }
        case 'R':
            entry->encoding = (uint8_t)vaka_async_cursor_number(cursor, 1);
            break;
        case 'S':
            entry->is_signal_frame = true;
            break;
        case 'B': /* arm64: signed with the second key; stripped in either case */
        case 'G': /* arm64: a frame of tagged memory */
            break;
        default:
            return;
        }
    }
}

static bool parse_common(uint64_t at, struct vaka_cfi_entry *entry, bool *has_size) {
    struct entry_head head;
    char augmentation[AUGMENTATION_MAX];
    if (read_head(at, &head) != VAKA_CFI_FOUND || head.identity != 0)
        return false;
    struct vaka_cursor *cursor = &head.content;
    uint64_t version = vaka_async_cursor_number(cursor, 1);
    if ((version != 1 && version != 3 && version != 4) || !read_augmentation(cursor, augmentation))
        return false;
    const char *letters = augmentation;
    if (letters[0] == 'e' && letters[1] == 'h') {
        vaka_async_cursor_skip(cursor, sizeof(uint64_t));
        letters += 2;
    }
    if (version == 4 && (vaka_async_cursor_number(cursor, 1) != 8 || vaka_async_cursor_number(cursor, 1) != 0))
        return false;
    *entry = (struct vaka_cfi_entry){.code_factor = vaka_async_cursor_uleb(cursor)};
    entry->data_factor = vaka_async_cursor_sleb(cursor);
    uint64_t number = version == 1 ? vaka_async_cursor_number(cursor, 1) : vaka_async_cursor_uleb(cursor);
    if (number >= VAKA_CFI_REGISTERS)
        return false;
    entry->return_register = (uint32_t)number;
    *has_size = letters[0] == 'z';
    if (*has_size) {
        uint64_t bytes = vaka_async_cursor_uleb(cursor);
        struct vaka_cursor data = *cursor;
        vaka_async_cursor_skip(cursor, bytes);
        data.end = cursor->at;
        apply_augmentation(&data, letters + 1, entry);
        if (data.failed)
            return false;
    } else if (letters[0] != 0) {
        return false;
    }
    entry->cie_program = cursor->at;
    entry->cie_end = cursor->end;
    return !cursor->failed;
}

static bool find_common(uint64_t at, struct vaka_cfi_entry *entry, bool *has_size) {
    if (common.at != at || at == 0) {
        /* A crash in here must not leave half an entry behind. */
        common.at = 0;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        if (!parse_common(at, &common.entry, &common.has_size))
            return false;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        common.at = at;
    }
    *entry = common.entry;
    *has_size = common.has_size;
    return true;
}

enum vaka_cfi_result vaka_async_cfi_parse(uint64_t at, struct vaka_cfi_entry *entry, uint64_t *next) {
    struct entry_head head;
    bool has_size = false;
    *next = at;
    enum vaka_cfi_result result = read_head(at, &head);
    if (result != VAKA_CFI_FOUND)
        return result;
    struct vaka_cursor *cursor = &head.content;
    *next = cursor->end;
    if (head.identity == 0)
        return VAKA_CFI_NONE;
    if (!find_common(head.identity_at - head.identity, entry, &has_size))
        return VAKA_CFI_INVALID;
    entry->start = vaka_async_cursor_pointer(cursor, entry->encoding, 0);
    uint64_t bytes = vaka_async_cursor_pointer(cursor, entry->encoding & VAKA_ENCODING_FORM, 0);
    if (has_size)
        vaka_async_cursor_skip(cursor, vaka_async_cursor_uleb(cursor));
    if (cursor->failed || bytes > UINT64_MAX - entry->start)
        return VAKA_CFI_INVALID;
    entry->end = entry->start + bytes;
    entry->program = cursor->at;
    entry->program_end = cursor->end;
    return VAKA_CFI_FOUND;
}
