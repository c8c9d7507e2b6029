/* SPDX-License-Identifier: Apache-2.0 */
#include "constants.h"
#include "lines.h"

#define MOST_FORMATS 16

struct format {
    uint64_t type;
    uint16_t form;
};

uint64_t vaka_line_length(struct vaka_bytes section, uint64_t offset) {
    struct vaka_cursor cursor = vaka_cursor_at(section, offset);
    uint64_t length = vaka_take_u32(&cursor);
    uint64_t head = 4;
    if (length == 0xffffffff) {
        length = vaka_take_u64(&cursor);
        head = 12;
    }
    return cursor.failed || length > vaka_cursor_left(&cursor) ? 0 : length + head;
}

static bool read_old_tables(struct vaka_line_header *header, struct vaka_cursor *cursor) {
    while (!cursor->failed) {
        struct vaka_bytes folder = vaka_take_text(cursor);
        if (folder.size == 0) {
            break;
        }
        struct vaka_bytes *slot = vaka_push(&header->folders);
        if (slot == NULL) {
            return false;
        }
        *slot = folder;
    }
    while (!cursor->failed) {
        struct vaka_line_file file = {.name = vaka_take_text(cursor)};
        if (file.name.size == 0) {
            break;
        }
        file.folder = vaka_take_uleb(cursor);
        vaka_take_uleb(cursor);
        vaka_take_uleb(cursor);
        struct vaka_line_file *slot = vaka_push(&header->files);
        if (slot == NULL) {
            return false;
        }
        *slot = file;
    }
    return true;
}

static struct vaka_line_file read_file(struct vaka_cursor *cursor, const struct format *formats, unsigned count,
                                       const struct vaka_unit *unit) {
    struct vaka_line_file file = {0};
    for (unsigned index = 0; index < count; index++) {
        const uint8_t *before = cursor->at;
        struct vaka_value value = vaka_form_read(cursor, formats[index].form, 0, unit);
        if (formats[index].type == DW_LNCT_path) {
            file.name = vaka_value_text(&value, unit);
        } else if (formats[index].type == DW_LNCT_directory_index) {
            file.folder = value.number;
        } else if (formats[index].type == DW_LNCT_MD5 && formats[index].form == DW_FORM_data16) {
            file.md5 = before;
        }
    }
    return file;
}

/* Folders and files have the same form; the former are their names alone. */
static bool read_table(struct vaka_line_header *header, struct vaka_cursor *cursor, const struct vaka_unit *unit,
                       bool folders) {
    struct format formats[MOST_FORMATS];
    unsigned format_count = vaka_take_u8(cursor);
    if (format_count > MOST_FORMATS) {
        return true;
    }
    for (unsigned index = 0; index < format_count; index++) {
        formats[index].type = vaka_take_uleb(cursor);
        uint64_t form = vaka_take_uleb(cursor);
        formats[index].form = form > 0xffff ? 0xffff : (uint16_t)form;
    }
    uint64_t count = vaka_take_uleb(cursor);
    if (format_count == 0 || count > vaka_cursor_left(cursor)) {
        return true;
    }
    for (uint64_t index = 0; index < count; index++) {
        struct vaka_line_file file = read_file(cursor, formats, format_count, unit);
        if (cursor->failed) {
            break;
        }
        struct vaka_bytes *folder = folders ? vaka_push(&header->folders) : NULL;
        struct vaka_line_file *slot = folders ? NULL : vaka_push(&header->files);
        if (folder != NULL) {
            *folder = file.name;
        } else if (slot != NULL) {
            *slot = file;
        } else {
            return false;
        }
    }
    return true;
}

static bool read_parameters(struct vaka_line_header *header, struct vaka_cursor *cursor) {
    header->minimum_length = vaka_take_u8(cursor);
    header->maximum_operations = header->version >= 4 ? vaka_take_u8(cursor) : 1;
    if (header->maximum_operations == 0) {
        header->maximum_operations = 1;
    }
    vaka_take_u8(cursor);
    header->line_base = (int8_t)vaka_take_u8(cursor);
    header->line_range = vaka_take_u8(cursor);
    header->opcode_base = vaka_take_u8(cursor);
    header->operand_counts = cursor->at;
    vaka_skip(cursor, header->opcode_base > 0 ? header->opcode_base - 1u : 0);
    return !cursor->failed && header->opcode_base > 0;
}

bool vaka_line_header_read(struct vaka_line_header *header, const struct vaka_unit *unit, struct vaka_bytes section,
                           uint64_t offset) {
    vaka_clear(&header->folders);
    vaka_clear(&header->files);
    struct vaka_cursor cursor = vaka_cursor_at(section, offset);
    uint64_t length = vaka_take_u32(&cursor);
    header->offset_size = 4;
    if (length == 0xffffffff) {
        header->offset_size = 8;
        length = vaka_take_u64(&cursor);
    }
    if (cursor.failed || length > vaka_cursor_left(&cursor)) {
        return false;
    }
    cursor.end = cursor.at + length;
    header->version = vaka_take_u16(&cursor);
    if (header->version < 2 || header->version > 5) {
        return false;
    }
    /* Strings are found by the unit's bases, but offsets have the program's own size. */
    struct vaka_unit view = *unit;
    view.offset_size = header->offset_size;
    view.version = header->version;
    if (header->version >= 5) {
        view.address_size = vaka_take_u8(&cursor);
        vaka_take_u8(&cursor);
    }
    uint64_t rest = vaka_take_sized(&cursor, header->offset_size);
    if (cursor.failed || rest > vaka_cursor_left(&cursor)) {
        return false;
    }
    header->program = (struct vaka_cursor){cursor.at + rest, cursor.end, false};
    cursor.end = cursor.at + rest;
    if (!read_parameters(header, &cursor)) {
        return false;
    }
    if (header->version < 5) {
        return read_old_tables(header, &cursor);
    }
    return read_table(header, &cursor, &view, true) && read_table(header, &cursor, &view, false);
}

void vaka_line_header_release(struct vaka_line_header *header) {
    vaka_release(&header->folders);
    vaka_release(&header->files);
}

const struct vaka_line_file *vaka_line_file(const struct vaka_line_header *header, uint64_t number) {
    uint64_t index = header->version >= 5 ? number : number - 1;
    if (index >= header->files.count || header->files.items[index].name.size == 0) {
        return NULL;
    }
    return &header->files.items[index];
}

struct vaka_bytes vaka_line_folder(const struct vaka_line_header *header, const struct vaka_line_file *file,
                                   bool *is_relative) {
    uint64_t index = header->version >= 5 ? file->folder : file->folder - 1;
    /* From version 5 on, the first folder is the compilation's own, be it relative or not. */
    *is_relative = header->version < 5 || file->folder != 0;
    return index < header->folders.count ? header->folders.items[index] : (struct vaka_bytes){NULL, 0};
}
