/* SPDX-License-Identifier: Apache-2.0 */
/* The stack machine of DWARF expressions (DWARF 5, 2.5), as far as call frame information may use it. */
#include "cfi.h"
#include "cursor.h"
#include "reader.h"

#define DEPTH_MAX 64
#define STEPS_MAX 1000

enum operation {
    OP_ADDR = 0x03,
    OP_DEREF = 0x06,
    OP_CONST1U = 0x08,
    OP_CONST1S = 0x09,
    OP_CONST2U = 0x0a,
    OP_CONST2S = 0x0b,
    OP_CONST4U = 0x0c,
    OP_CONST4S = 0x0d,
    OP_CONST8U = 0x0e,
    OP_CONST8S = 0x0f,
    OP_CONSTU = 0x10,
    OP_CONSTS = 0x11,
    OP_DUP = 0x12,
    OP_DROP = 0x13,
    OP_OVER = 0x14,
    OP_PICK = 0x15,
    OP_SWAP = 0x16,
    OP_ROT = 0x17,
    OP_ABS = 0x19,
    OP_AND = 0x1a,
    OP_DIV = 0x1b,
    OP_MINUS = 0x1c,
    OP_MOD = 0x1d,
    OP_MUL = 0x1e,
    OP_NEG = 0x1f,
    OP_NOT = 0x20,
    OP_OR = 0x21,
    OP_PLUS = 0x22,
    OP_PLUS_UCONST = 0x23,
    OP_SHL = 0x24,
    OP_SHR = 0x25,
    OP_SHRA = 0x26,
    OP_XOR = 0x27,
    OP_BRA = 0x28,
    OP_EQ = 0x29,
    OP_GE = 0x2a,
    OP_GT = 0x2b,
    OP_LE = 0x2c,
    OP_LT = 0x2d,
    OP_NE = 0x2e,
    OP_SKIP = 0x2f,
    OP_LIT0 = 0x30,
    OP_LIT31 = 0x4f,
    OP_BREG0 = 0x70,
    OP_BREG31 = 0x8f,
    OP_BREGX = 0x92,
    OP_DEREF_SIZE = 0x94,
    OP_NOP = 0x96,
    OP_CALL_FRAME_CFA = 0x9c,
    OP_GNU_ENCODED_ADDR = 0xf1,
};

struct machine {
    struct vaka_cursor cursor;
    uint64_t start;
    const struct vaka_registers *registers;
    const uint64_t *cfa;
    uint32_t depth;
};

/* Beside the machine: the handler's stack may be small. */
static uint64_t stack[DEPTH_MAX];

static void fail(struct machine *machine) {
    machine->cursor.failed = true;
}

static void push(struct machine *machine, uint64_t value) {
    if (machine->depth == DEPTH_MAX) {
        fail(machine);
        return;
    }
    stack[machine->depth++] = value;
}

static uint64_t pop(struct machine *machine) {
    if (machine->depth == 0) {
        fail(machine);
        return 0;
    }
    return stack[--machine->depth];
}

static uint64_t peek(struct machine *machine, uint64_t below) {
    if (below >= machine->depth) {
        fail(machine);
        return 0;
    }
    return stack[machine->depth - 1 - below];
}

static uint64_t load(struct machine *machine, uint64_t address, uint64_t bytes) {
    uint64_t value = 0;
    if (bytes < 1 || bytes > sizeof(value) || !vaka_async_read(address, &value, bytes))
        fail(machine);
    return value;
}

static uint64_t register_value(struct machine *machine, uint64_t number) {
    if (!vaka_async_knows(machine->registers, number)) {
        fail(machine);
        return 0;
    }
    return machine->registers->values[number];
}

static void branch(struct machine *machine, bool is_taken) {
    int64_t distance = vaka_async_cursor_signed(&machine->cursor, 2);
    uint64_t target = machine->cursor.at + (uint64_t)distance;
    if (!is_taken || machine->cursor.failed)
        return;
    if (target < machine->start || target > machine->cursor.end) {
        fail(machine);
        return;
    }
    machine->cursor.at = target;
}

static uint64_t quotient(struct machine *machine, uint64_t operation, uint64_t left, uint64_t right) {
    if (right == 0) {
        fail(machine);
        return 0;
    }
    if (operation == OP_MOD)
        return left % right;
    /* The one division that traps. */
    if ((int64_t)right == -1)
        return -left;
    return (uint64_t)((int64_t)left / (int64_t)right);
}

static uint64_t shifted(uint64_t operation, uint64_t left, uint64_t right) {
    if (operation == OP_SHRA)
        return (uint64_t)((int64_t)left >> (right < 63 ? right : 63));
    if (right > 63)
        return 0;
    return operation == OP_SHL ? left << right : left >> right;
}

static uint64_t compare(struct machine *machine, uint64_t operation, int64_t left, int64_t right) {
    switch (operation) {
    case OP_EQ:
        return left == right;
    case OP_NE:
        return left != right;
    case OP_LT:
        return left < right;
    case OP_LE:
        return left <= right;
    case OP_GT:
        return left > right;
    case OP_GE:
        return left >= right;
    default:
        fail(machine);
        return 0;
    }
}

static uint64_t combine(struct machine *machine, uint64_t operation, uint64_t left, uint64_t right) {
    switch (operation) {
    case OP_AND:
        return left & right;
    case OP_OR:
        return left | right;
    case OP_XOR:
        return left ^ right;
    case OP_PLUS:
        return left + right;
    case OP_MINUS:
        return left - right;
    case OP_MUL:
        return left * right;
    case OP_DIV:
    case OP_MOD:
        return quotient(machine, operation, left, right);
    case OP_SHL:
    case OP_SHR:
    case OP_SHRA:
        return shifted(operation, left, right);
    default:
        return compare(machine, operation, (int64_t)left, (int64_t)right);
    }
}

static void push_constant(struct machine *machine, uint64_t operation) {
    struct vaka_cursor *cursor = &machine->cursor;
    switch (operation) {
    case OP_CONSTU:
        push(machine, vaka_async_cursor_uleb(cursor));
        break;
    case OP_CONSTS:
        push(machine, (uint64_t)vaka_async_cursor_sleb(cursor));
        break;
    default: {
        /* Sizes 1, 2, 4, 8, each unsigned, then signed. */
        size_t bytes = (size_t)1 << ((operation - OP_CONST1U) / 2);
        bool is_signed = (operation - OP_CONST1U) % 2 != 0;
        push(machine,
             is_signed ? (uint64_t)vaka_async_cursor_signed(cursor, bytes) : vaka_async_cursor_number(cursor, bytes));
        break;
    }
    }
}

static void rearrange(struct machine *machine, uint64_t operation) {
    uint64_t top, second, third;
    switch (operation) {
    case OP_DUP:
        push(machine, peek(machine, 0));
        break;
    case OP_DROP:
        pop(machine);
        break;
    case OP_OVER:
        push(machine, peek(machine, 1));
        break;
    case OP_PICK:
        push(machine, peek(machine, vaka_async_cursor_number(&machine->cursor, 1)));
        break;
    case OP_SWAP:
        top = pop(machine);
        second = pop(machine);
        push(machine, top);
        push(machine, second);
        break;
    default:
        top = pop(machine);
        second = pop(machine);
        third = pop(machine);
        push(machine, top);
        push(machine, third);
        push(machine, second);
        break;
    }
}

static void push_address(struct machine *machine, uint64_t operation) {
    struct vaka_cursor *cursor = &machine->cursor;
    if (operation == OP_ADDR) {
        push(machine, vaka_async_cursor_number(cursor, sizeof(uint64_t)));
    } else if (operation == OP_GNU_ENCODED_ADDR) {
        uint8_t encoding = (uint8_t)vaka_async_cursor_number(cursor, 1);
        push(machine, vaka_async_cursor_pointer(cursor, encoding, 0));
    } else if (machine->cfa != NULL) {
        push(machine, *machine->cfa);
    } else {
        fail(machine);
    }
}

static void change_top(struct machine *machine, uint64_t operation) {
    uint64_t top = pop(machine);
    switch (operation) {
    case OP_DEREF:
        push(machine, load(machine, top, sizeof(uint64_t)));
        break;
    case OP_DEREF_SIZE:
        push(machine, load(machine, top, vaka_async_cursor_number(&machine->cursor, 1)));
        break;
    case OP_ABS:
        push(machine, (int64_t)top < 0 ? -top : top);
        break;
    case OP_NEG:
        push(machine, -top);
        break;
    case OP_NOT:
        push(machine, ~top);
        break;
    default:
        push(machine, top + vaka_async_cursor_uleb(&machine->cursor));
        break;
    }
}

static void perform_other(struct machine *machine, uint64_t operation) {
    switch (operation) {
    case OP_NOP:
        break;
    case OP_SKIP:
        branch(machine, true);
        break;
    case OP_BRA:
        branch(machine, pop(machine) != 0);
        break;
    case OP_DUP:
    case OP_DROP:
    case OP_OVER:
    case OP_PICK:
    case OP_SWAP:
    case OP_ROT:
        rearrange(machine, operation);
        break;
    case OP_DEREF:
    case OP_DEREF_SIZE:
    case OP_ABS:
    case OP_NEG:
    case OP_NOT:
    case OP_PLUS_UCONST:
        change_top(machine, operation);
        break;
    case OP_ADDR:
    case OP_GNU_ENCODED_ADDR:
    case OP_CALL_FRAME_CFA:
        push_address(machine, operation);
        break;
    default: {
        uint64_t right = pop(machine);
        uint64_t left = pop(machine);
        push(machine, combine(machine, operation, left, right));
        break;
    }
    }
}

static void perform(struct machine *machine, uint64_t operation) {
    struct vaka_cursor *cursor = &machine->cursor;
    if (operation >= OP_LIT0 && operation <= OP_LIT31) {
        push(machine, operation - OP_LIT0);
    } else if (operation >= OP_BREG0 && operation <= OP_BREG31) {
        uint64_t base = register_value(machine, operation - OP_BREG0);
        push(machine, base + (uint64_t)vaka_async_cursor_sleb(cursor));
    } else if (operation == OP_BREGX) {
        uint64_t base = register_value(machine, vaka_async_cursor_uleb(cursor));
        push(machine, base + (uint64_t)vaka_async_cursor_sleb(cursor));
    } else if (operation >= OP_CONST1U && operation <= OP_CONSTS) {
        push_constant(machine, operation);
    } else {
        perform_other(machine, operation);
    }
}

bool vaka_async_cfi_evaluate(uint64_t expression, uint32_t bytes, const struct vaka_registers *registers,
                             const uint64_t *cfa, uint64_t *result) {
    struct machine machine = {.start = expression, .registers = registers, .cfa = cfa};
    if (__builtin_add_overflow(expression, bytes, &machine.cursor.end))
        return false;
    machine.cursor.at = expression;
    if (cfa != NULL)
        push(&machine, *cfa);
    for (int i = 0; machine.cursor.at < machine.cursor.end; i++) {
        if (i == STEPS_MAX || !vaka_async_cfi_spend())
            return false;
        uint64_t operation = vaka_async_cursor_number(&machine.cursor, 1);
        perform(&machine, operation);
        if (machine.cursor.failed)
            return false;
    }
    *result = pop(&machine);
    return !machine.cursor.failed;
}
