/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the instructions of call frame information (DWARF 5, 6.4.2) up to an address: the row of rules there. */
#include "cfi.h"
#include "cursor.h"

/* Compilers nest two or three. */
#define REMEMBERED_MAX 16

enum opcode {
    CFA_NOP = 0x00,
    CFA_SET_LOC = 0x01,
    CFA_ADVANCE_LOC1 = 0x02,
    CFA_ADVANCE_LOC2 = 0x03,
    CFA_ADVANCE_LOC4 = 0x04,
    CFA_OFFSET_EXTENDED = 0x05,
    CFA_RESTORE_EXTENDED = 0x06,
    CFA_UNDEFINED = 0x07,
    CFA_SAME_VALUE = 0x08,
    CFA_REGISTER = 0x09,
    CFA_REMEMBER_STATE = 0x0a,
    CFA_RESTORE_STATE = 0x0b,
    CFA_DEF_CFA = 0x0c,
    CFA_DEF_CFA_REGISTER = 0x0d,
    CFA_DEF_CFA_OFFSET = 0x0e,
    CFA_DEF_CFA_EXPRESSION = 0x0f,
    CFA_EXPRESSION = 0x10,
    CFA_OFFSET_EXTENDED_SF = 0x11,
    CFA_DEF_CFA_SF = 0x12,
    CFA_DEF_CFA_OFFSET_SF = 0x13,
    CFA_VAL_OFFSET = 0x14,
    CFA_VAL_OFFSET_SF = 0x15,
    CFA_VAL_EXPRESSION = 0x16,
    CFA_ADVANCE_LOC8 = 0x1d,
    CFA_NEGATE_RA_STATE_WITH_PC = 0x2c,
    CFA_NEGATE_RA_STATE = 0x2d,
    CFA_GNU_ARGS_SIZE = 0x2e,
    CFA_GNU_NEGATIVE_OFFSET_EXTENDED = 0x2f,
    /* These have an operand in their lower six bits. */
    CFA_ADVANCE_LOC = 0x40,
    CFA_OFFSET = 0x80,
    CFA_RESTORE = 0xc0,
};

struct program {
    const struct vaka_cfi_entry *entry;
    struct vaka_cursor cursor;
    struct vaka_cfi_row *row;
    uint64_t location;
    uint64_t address; /* the one wanted */
    bool is_there;    /* the next row begins beyond it */
    uint32_t remembered;
};

static struct vaka_cfi_row initial;
static struct vaka_cfi_row remembered[REMEMBERED_MAX];

/* What the System V ABIs say of registers that no rule names: those a callee must keep are kept. */
static void set_defaults(struct vaka_cfi_row *row) {
    for (uint32_t i = 0; i < VAKA_CFI_REGISTERS; i++) {
#if !VAKA_CFI_ARM64
        bool is_kept = i == 3 || i == VAKA_CFI_FP || (i >= 12 && i <= 15);
#else
        bool is_kept = i >= 19 && i <= VAKA_CFI_LR;
#endif
        row->rules[i] = (struct vaka_cfi_rule){.kind = is_kept ? VAKA_RULE_SAME : VAKA_RULE_UNDEFINED};
    }
    row->rules[VAKA_CFI_SP].kind = VAKA_RULE_VAL_OFFSET;
}

/* Rules of registers that frames do not depend on, such as vector registers, are read and dropped. */
static void set_rule(struct program *program, uint64_t number, uint32_t kind, int64_t value, uint32_t bytes) {
    if (number < VAKA_CFI_REGISTERS)
        program->row->rules[number] = (struct vaka_cfi_rule){.value = value, .bytes = bytes, .kind = kind};
}

static void restore_rule(struct program *program, uint64_t number) {
    if (number < VAKA_CFI_REGISTERS)
        program->row->rules[number] = initial.rules[number];
}

static int64_t scaled(const struct program *program, uint64_t value) {
    return (int64_t)(value * (uint64_t)program->entry->data_factor);
}

static uint64_t next_uleb(struct program *program) {
    return vaka_async_cursor_uleb(&program->cursor);
}

static void move_to(struct program *program, uint64_t location) {
    /* Rows rise. */
    if (location < program->location) {
        program->cursor.failed = true;
        return;
    }
    program->location = location;
    program->is_there = location > program->address;
    if (program->is_there) {
        program->row->end = location;
    } else {
        program->row->start = location;
    }
}

static void advance(struct program *program, uint64_t units) {
    uint64_t distance, location;
    if (__builtin_mul_overflow(units, program->entry->code_factor, &distance) ||
        __builtin_add_overflow(program->location, distance, &location)) {
        program->cursor.failed = true;
        return;
    }
    move_to(program, location);
}

static void define_cfa(struct program *program, uint64_t number, int64_t offset) {
    if (number >= VAKA_CFI_REGISTERS) {
        program->cursor.failed = true;
        return;
    }
    program->row->cfa_register = (uint32_t)number;
    program->row->cfa = (struct vaka_cfi_rule){.value = offset, .kind = VAKA_RULE_REGISTER};
}

static void change_cfa_register(struct program *program, uint64_t number) {
    int64_t offset = program->row->cfa.kind == VAKA_RULE_REGISTER ? program->row->cfa.value : 0;
    define_cfa(program, number, offset);
}

static void change_cfa_offset(struct program *program, int64_t offset) {
    if (program->row->cfa.kind != VAKA_RULE_REGISTER)
        program->cursor.failed = true;
    program->row->cfa.value = offset;
}

/* An expression stays where it is; only its place is kept. */
static struct vaka_cfi_rule next_expression(struct program *program, uint32_t kind) {
    uint64_t bytes = next_uleb(program);
    struct vaka_cfi_rule rule = {.value = (int64_t)program->cursor.at, .bytes = (uint32_t)bytes, .kind = kind};
    if (bytes > UINT32_MAX)
        program->cursor.failed = true;
    vaka_async_cursor_skip(&program->cursor, bytes);
    return rule;
}

static void set_expression(struct program *program, uint32_t kind) {
    uint64_t number = next_uleb(program);
    struct vaka_cfi_rule rule = next_expression(program, kind);
    set_rule(program, number, rule.kind, rule.value, rule.bytes);
}

static void remember(struct program *program) {
    if (program->remembered == REMEMBERED_MAX) {
        program->cursor.failed = true;
        return;
    }
    remembered[program->remembered++] = *program->row;
}

static void restore(struct program *program) {
    if (program->remembered == 0) {
        program->cursor.failed = true;
        return;
    }
    uint64_t start = program->row->start;
    *program->row = remembered[--program->remembered];
    program->row->start = start;
}

static void run_location(struct program *program, uint64_t opcode) {
    switch (opcode) {
    case CFA_SET_LOC:
        move_to(program, vaka_async_cursor_pointer(&program->cursor, program->entry->encoding, 0));
        break;
    case CFA_ADVANCE_LOC1:
        advance(program, vaka_async_cursor_number(&program->cursor, 1));
        break;
    case CFA_ADVANCE_LOC2:
        advance(program, vaka_async_cursor_number(&program->cursor, 2));
        break;
    case CFA_ADVANCE_LOC4:
        advance(program, vaka_async_cursor_number(&program->cursor, 4));
        break;
    default:
        advance(program, vaka_async_cursor_number(&program->cursor, 8));
        break;
    }
}

static void run_cfa(struct program *program, uint64_t opcode) {
    uint64_t number;
    switch (opcode) {
    case CFA_DEF_CFA:
        number = next_uleb(program);
        define_cfa(program, number, (int64_t)next_uleb(program));
        break;
    case CFA_DEF_CFA_SF:
        number = next_uleb(program);
        define_cfa(program, number, scaled(program, (uint64_t)vaka_async_cursor_sleb(&program->cursor)));
        break;
    case CFA_DEF_CFA_REGISTER:
        change_cfa_register(program, next_uleb(program));
        break;
    case CFA_DEF_CFA_OFFSET:
        change_cfa_offset(program, (int64_t)next_uleb(program));
        break;
    case CFA_DEF_CFA_OFFSET_SF:
        change_cfa_offset(program, scaled(program, (uint64_t)vaka_async_cursor_sleb(&program->cursor)));
        break;
    default:
        program->row->cfa = next_expression(program, VAKA_RULE_EXPRESSION);
        break;
    }
}

static void run_rule(struct program *program, uint64_t opcode) {
    uint64_t number = next_uleb(program);
    switch (opcode) {
    case CFA_OFFSET_EXTENDED:
        set_rule(program, number, VAKA_RULE_OFFSET, scaled(program, next_uleb(program)), 0);
        break;
    case CFA_OFFSET_EXTENDED_SF:
        set_rule(program, number, VAKA_RULE_OFFSET, scaled(program, (uint64_t)vaka_async_cursor_sleb(&program->cursor)),
                 0);
        break;
    case CFA_GNU_NEGATIVE_OFFSET_EXTENDED:
        set_rule(program, number, VAKA_RULE_OFFSET, scaled(program, -next_uleb(program)), 0);
        break;
    case CFA_VAL_OFFSET:
        set_rule(program, number, VAKA_RULE_VAL_OFFSET, scaled(program, next_uleb(program)), 0);
        break;
    case CFA_VAL_OFFSET_SF:
        set_rule(program, number, VAKA_RULE_VAL_OFFSET,
                 scaled(program, (uint64_t)vaka_async_cursor_sleb(&program->cursor)), 0);
        break;
    case CFA_REGISTER:
        set_rule(program, number, VAKA_RULE_REGISTER, (int64_t)next_uleb(program), 0);
        break;
    case CFA_UNDEFINED:
        set_rule(program, number, VAKA_RULE_UNDEFINED, 0, 0);
        break;
    case CFA_SAME_VALUE:
        set_rule(program, number, VAKA_RULE_SAME, 0, 0);
        break;
    default:
        restore_rule(program, number);
        break;
    }
}

static void run_extended(struct program *program, uint64_t opcode) {
    switch (opcode) {
    case CFA_NOP:
    /* Whether the return address is signed does not matter: the bits are cleared in either case. */
    case CFA_NEGATE_RA_STATE:
    case CFA_NEGATE_RA_STATE_WITH_PC:
        break;
    case CFA_GNU_ARGS_SIZE: /* for landing pads only */
        next_uleb(program);
        break;
    case CFA_SET_LOC:
    case CFA_ADVANCE_LOC1:
    case CFA_ADVANCE_LOC2:
    case CFA_ADVANCE_LOC4:
    case CFA_ADVANCE_LOC8:
        run_location(program, opcode);
        break;
    case CFA_DEF_CFA:
    case CFA_DEF_CFA_SF:
    case CFA_DEF_CFA_REGISTER:
    case CFA_DEF_CFA_OFFSET:
    case CFA_DEF_CFA_OFFSET_SF:
    case CFA_DEF_CFA_EXPRESSION:
        run_cfa(program, opcode);
        break;
    case CFA_OFFSET_EXTENDED:
    case CFA_OFFSET_EXTENDED_SF:
    case CFA_GNU_NEGATIVE_OFFSET_EXTENDED:
    case CFA_VAL_OFFSET:
    case CFA_VAL_OFFSET_SF:
    case CFA_REGISTER:
    case CFA_UNDEFINED:
    case CFA_SAME_VALUE:
    case CFA_RESTORE_EXTENDED:
        run_rule(program, opcode);
        break;
    case CFA_EXPRESSION:
        set_expression(program, VAKA_RULE_EXPRESSION);
        break;
    case CFA_VAL_EXPRESSION:
        set_expression(program, VAKA_RULE_VAL_EXPRESSION);
        break;
    case CFA_REMEMBER_STATE:
        remember(program);
        break;
    case CFA_RESTORE_STATE:
        restore(program);
        break;
    default:
        program->cursor.failed = true;
        break;
    }
}

static bool run(struct program *program, uint64_t start, uint64_t end) {
    program->cursor = (struct vaka_cursor){start, end, false};
    while (program->cursor.at < end && !program->is_there) {
        uint64_t byte = vaka_async_cursor_number(&program->cursor, 1);
        uint64_t operand = byte & 0x3f;
        if (program->cursor.failed || !vaka_async_cfi_spend())
            return false;
        switch (byte & 0xc0) {
        case CFA_ADVANCE_LOC:
            advance(program, operand);
            break;
        case CFA_OFFSET:
            set_rule(program, operand, VAKA_RULE_OFFSET, scaled(program, next_uleb(program)), 0);
            break;
        case CFA_RESTORE:
            restore_rule(program, operand);
            break;
        default:
            run_extended(program, byte);
            break;
        }
        if (program->cursor.failed)
            return false;
    }
    return true;
}

enum vaka_cfi_result vaka_async_cfi_row(const struct vaka_cfi_entry *entry, uint64_t address,
                                        struct vaka_cfi_row *row) {
    struct program program = {.entry = entry, .row = row, .location = entry->start, .address = address};
    row->start = entry->start;
    row->end = entry->end;
    row->cfa = (struct vaka_cfi_rule){.kind = VAKA_RULE_UNDEFINED};
    row->cfa_register = 0;
    row->return_register = entry->return_register;
    row->is_signal_frame = entry->is_signal_frame;
    set_defaults(row);
    initial = *row;
    if (!run(&program, entry->cie_program, entry->cie_end) || program.is_there)
        return VAKA_CFI_INVALID;
    initial = *row;
    if (!run(&program, entry->program, entry->program_end))
        return VAKA_CFI_INVALID;
    return row->cfa.kind == VAKA_RULE_UNDEFINED ? VAKA_CFI_INVALID : VAKA_CFI_FOUND;
}
