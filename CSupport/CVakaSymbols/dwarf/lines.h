/* SPDX-License-Identifier: Apache-2.0 */
/* Line number programs (DWARF 5, section 6.2). */
#ifndef VAKA_DWARF_LINES_H
#define VAKA_DWARF_LINES_H

#include "object.h"

struct vaka_line_file {
    struct vaka_bytes name;
    uint64_t folder;
    /* NULL, or 16 bytes. */
    const uint8_t *md5;
};

struct vaka_line_header {
    uint16_t version;
    uint8_t offset_size;
    uint8_t minimum_length;
    uint8_t maximum_operations;
    int8_t line_base;
    uint8_t line_range;
    uint8_t opcode_base;
    const uint8_t *operand_counts;
    VAKA_VECTOR(struct vaka_bytes) folders;
    VAKA_VECTOR(struct vaka_line_file) files;
    struct vaka_cursor program;
};

/* From this address on, until the next row, the code belongs to this place. 0 is "none". */
struct vaka_line_row {
    uint64_t address;
    uint32_t file;
    uint32_t line;
    uint32_t column;
    bool is_end;
};

/* Reads the header of a unit's program. The vectors are used anew. */
bool vaka_line_header_read(struct vaka_line_header *header, const struct vaka_unit *unit, struct vaka_bytes section,
                           uint64_t offset);
void vaka_line_header_release(struct vaka_line_header *header);
/* How long the program at an offset says it is, its length included; 0 where there is none. */
uint64_t vaka_line_length(struct vaka_bytes section, uint64_t offset);

/* Calls `row` for each row until it says false. */
typedef bool (*vaka_line_visitor)(void *context, const struct vaka_line_row *row);
bool vaka_line_program_run(const struct vaka_line_header *header, vaka_line_visitor visit, void *context);

/* The file of a number as the program counts them; NULL for none. */
const struct vaka_line_file *vaka_line_file(const struct vaka_line_header *header, uint64_t number);
/* The folder of a file, empty where it has none; whether it counts from the compilation's folder. */
struct vaka_bytes vaka_line_folder(const struct vaka_line_header *header, const struct vaka_line_file *file,
                                   bool *is_relative);

#endif
