/* SPDX-License-Identifier: Apache-2.0 */
#include "constants.h"
#include "lines.h"

struct machine {
    const struct vaka_line_header *header;
    struct vaka_cursor cursor;
    uint64_t address;
    uint64_t operation;
    uint64_t file;
    uint64_t line;
    uint64_t column;
};

static void restart(struct machine *machine) {
    machine->address = 0;
    machine->operation = 0;
    machine->file = 1;
    machine->line = 1;
    machine->column = 0;
}

static void advance(struct machine *machine, uint64_t operations) {
    const struct vaka_line_header *header = machine->header;
    if (header->maximum_operations == 1) {
        machine->address += header->minimum_length * operations;
        return;
    }
    uint64_t total = machine->operation + operations;
    machine->address += header->minimum_length * (total / header->maximum_operations);
    machine->operation = total % header->maximum_operations;
}

static uint32_t clamped(uint64_t value) {
    return value > UINT32_MAX ? (value > INT64_MAX ? 0 : UINT32_MAX) : (uint32_t)value;
}

static bool emit(struct machine *machine, bool is_end, vaka_line_visitor visit, void *context) {
    struct vaka_line_row row = {machine->address, clamped(machine->file), clamped(machine->line),
                                clamped(machine->column), is_end};
    return visit(context, &row);
}

/* True when the opcode ends a sequence. */
static bool extended(struct machine *machine) {
    struct vaka_cursor *cursor = &machine->cursor;
    uint64_t length = vaka_take_uleb(cursor);
    if (length == 0 || length > vaka_cursor_left(cursor)) {
        vaka_skip(cursor, length);
        return false;
    }
    const uint8_t *next = cursor->at + length;
    uint8_t opcode = vaka_take_u8(cursor);
    if (opcode == DW_LNE_set_address) {
        machine->address = length <= 9 ? vaka_take_sized(cursor, (unsigned)length - 1) : 0;
        machine->operation = 0;
    }
    cursor->at = next;
    return opcode == DW_LNE_end_sequence;
}

/* True when the opcode makes a row. */
static bool standard(struct machine *machine, uint8_t opcode) {
    const struct vaka_line_header *header = machine->header;
    struct vaka_cursor *cursor = &machine->cursor;
    switch (opcode) {
    case DW_LNS_copy:
        return true;
    case DW_LNS_advance_pc:
        advance(machine, vaka_take_uleb(cursor));
        break;
    case DW_LNS_advance_line:
        machine->line += (uint64_t)vaka_take_sleb(cursor);
        break;
    case DW_LNS_set_file:
        machine->file = vaka_take_uleb(cursor);
        break;
    case DW_LNS_set_column:
        machine->column = vaka_take_uleb(cursor);
        break;
    case DW_LNS_negate_stmt:
    case DW_LNS_set_basic_block:
    case DW_LNS_set_prologue_end:
    case DW_LNS_set_epilogue_begin:
        break;
    case DW_LNS_const_add_pc:
        if (header->line_range > 0) {
            advance(machine, (255u - header->opcode_base) / header->line_range);
        }
        break;
    case DW_LNS_fixed_advance_pc:
        machine->address += vaka_take_u16(cursor);
        machine->operation = 0;
        break;
    default:
        for (unsigned count = header->operand_counts[opcode - 1]; count > 0; count--) {
            vaka_take_uleb(cursor);
        }
        break;
    }
    return false;
}

bool vaka_line_program_run(const struct vaka_line_header *header, vaka_line_visitor visit, void *context) {
    struct machine machine = {.header = header, .cursor = header->program};
    restart(&machine);
    while (vaka_cursor_left(&machine.cursor) > 0) {
        uint8_t opcode = *machine.cursor.at++;
        if (opcode >= header->opcode_base) {
            if (header->line_range > 0) {
                unsigned adjusted = (unsigned)opcode - header->opcode_base;
                advance(&machine, adjusted / header->line_range);
                machine.line += (uint64_t)((int64_t)header->line_base + adjusted % header->line_range);
            }
        } else if (opcode == 0) {
            if (extended(&machine)) {
                if (!emit(&machine, true, visit, context)) {
                    return false;
                }
                restart(&machine);
            }
            continue;
        } else if (!standard(&machine, opcode)) {
            continue;
        }
        if (!emit(&machine, false, visit, context)) {
            return false;
        }
    }
    return true;
}
