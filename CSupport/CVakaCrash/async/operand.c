/* SPDX-License-Identifier: Apache-2.0 */
#include "operand.h"

#include <string.h>

#define REX_W 8u
#define REX_R 4u
#define REX_X 2u
#define REX_B 1u

enum access { NONE, READ, WRITE };

struct decoder {
    const struct vaka_instruction *from;
    struct vaka_operands *out;
    size_t at;
    bool is_short; /* the bytes ended */
    uint8_t rex;
    bool is_vex;
    bool is_evex;
    bool is_address32;
    uint8_t repeat;  /* 0xf2, 0xf3 or 0 */
    bool is_operand16;
    uint8_t segment; /* 0x64, 0x65 or 0 */
    uint8_t map;     /* 0: one byte, 1: 0f, 2: 0f38, 3: 0f3a */
    uint8_t opcode;
    uint8_t modrm;
};

static uint8_t next(struct decoder *decoder) {
    if (decoder->at >= decoder->from->bytes) {
        decoder->is_short = true;
        return 0;
    }
    return decoder->from->code[decoder->at++];
}

/* A displacement of 1, 4 or 8 bytes, sign-extended. */
static uint64_t next_signed(struct decoder *decoder, uint32_t bytes) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes; i++)
        value |= (uint64_t)next(decoder) << (8 * i);
    if (bytes == 1)
        return (uint64_t)(int64_t)(int8_t)value;
    if (bytes == 4)
        return (uint64_t)(int64_t)(int32_t)value;
    return value;
}

/* A register by the number that instructions give it; the record's order is DWARF's. */
static uint64_t value_of(const struct decoder *decoder, uint32_t number) {
    static const uint8_t dwarf[8] = {0, 2, 1, 3, 7, 6, 4, 5};
    return decoder->from->registers[number < 8 ? dwarf[number] : number & 15];
}

static uint64_t linear(const struct decoder *decoder, uint64_t address) {
    if (decoder->is_address32)
        address &= 0xffffffffu;
    if (decoder->segment == 0x64)
        return address + decoder->from->fs_base;
    if (decoder->segment == 0x65)
        return address + decoder->from->gs_base;
    return address;
}

static void add(struct decoder *decoder, uint64_t address, bool is_write) {
    struct vaka_operands *out = decoder->out;
    if (out->count < VAKA_OPERANDS_MAX)
        out->items[out->count++] = (struct vaka_operand){address, is_write};
}

static void add_stack(struct decoder *decoder, bool is_push) {
    uint64_t sp = value_of(decoder, 4);
    add(decoder, is_push ? sp - 8 : sp, is_push);
}

static void take_prefixes(struct decoder *decoder) {
    for (;;) {
        uint8_t byte = next(decoder);
        if (byte == 0x66) {
            decoder->is_operand16 = true;
        } else if (byte == 0xf2 || byte == 0xf3) {
            decoder->repeat = byte;
        } else if (byte == 0x64 || byte == 0x65) {
            decoder->segment = byte;
        } else if (byte == 0x67) {
            decoder->is_address32 = true;
        } else if (byte != 0xf0 && byte != 0x2e && byte != 0x36 && byte != 0x3e && byte != 0x26) {
            if (!decoder->is_short)
                decoder->at--;
            return;
        }
        if (decoder->is_short)
            return;
    }
}

static void take_simd_prefix(struct decoder *decoder, uint8_t bits) {
    static const uint8_t repeats[4] = {0, 0, 0xf3, 0xf2};
    decoder->is_operand16 = (bits & 3) == 1;
    decoder->repeat = repeats[bits & 3];
}

/* VEX of two and of three bytes, and EVEX: each holds what REX and the prefixes would. */
static void take_vex(struct decoder *decoder, uint8_t first) {
    uint8_t second = next(decoder);
    decoder->is_vex = true;
    decoder->map = 1;
    uint8_t last = second;
    if (first != 0xc5) {
        decoder->rex = (uint8_t)(~second >> 5 & 7);
        decoder->map = second & (first == 0x62 ? 7 : 31);
        last = next(decoder);
        if ((last & 0x80) != 0)
            decoder->rex |= REX_W;
    }
    take_simd_prefix(decoder, last);
    if (first == 0x62) {
        decoder->is_evex = true;
        next(decoder);
    }
}

static void take_opcode(struct decoder *decoder) {
    uint8_t byte = next(decoder);
    if (byte == 0xc5 || byte == 0xc4 || byte == 0x62) {
        take_vex(decoder, byte);
        decoder->opcode = next(decoder);
        return;
    }
    if ((byte & 0xf0) == 0x40) {
        decoder->rex = byte & 15;
        byte = next(decoder);
    }
    if (byte == 0x0f) {
        decoder->map = 1;
        byte = next(decoder);
        if (byte == 0x38 || byte == 0x3a) {
            decoder->map = byte == 0x38 ? 2 : 3;
            byte = next(decoder);
        }
    }
    decoder->opcode = byte;
}

static uint32_t group(const struct decoder *decoder) {
    return decoder->modrm >> 3 & 7;
}

/* The x87 instructions with a memory operand: which of each opcode's eight store. */
static enum access x87_access(const struct decoder *decoder) {
    static const uint8_t stores[8] = {0x00, 0xcc, 0x00, 0x8e, 0x00, 0xce, 0x00, 0xce};
    return stores[decoder->opcode & 7] >> group(decoder) & 1 ? WRITE : READ;
}

static enum access one_byte_access(const struct decoder *decoder) {
    uint8_t op = decoder->opcode;
    if (op < 0x40)
        return (op & 7) >= 4 ? NONE : (op & 7) >= 2 || op >= 0x38 ? READ : WRITE;
    if (op >= 0xd8 && op <= 0xdf)
        return x87_access(decoder);
    switch (op) {
    case 0x63:
    case 0x69:
    case 0x6b:
    case 0x84:
    case 0x85:
    case 0x8a:
    case 0x8b:
    case 0x8e:
        return READ;
    case 0x80:
    case 0x81:
    case 0x83:
        return group(decoder) == 7 ? READ : WRITE;
    case 0x86:
    case 0x87:
    case 0x88:
    case 0x89:
    case 0x8c:
    case 0x8f:
    case 0xc0:
    case 0xc1:
    case 0xc6:
    case 0xc7:
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
    case 0xfe:
        return WRITE;
    case 0xf6:
    case 0xf7:
        return group(decoder) == 2 || group(decoder) == 3 ? WRITE : READ;
    case 0xff:
        return group(decoder) <= 1 ? WRITE : READ;
    default:
        return NONE;
    }
}

static enum access fence_access(const struct decoder *decoder) {
    uint32_t number = group(decoder);
    return number == 0 || number == 3 || number == 4 || number == 6 ? WRITE : READ;
}

static enum access two_byte_access(const struct decoder *decoder) {
    uint8_t op = decoder->opcode;
    switch (op) {
    case 0x11:
    case 0x13:
    case 0x17:
    case 0x29:
    case 0x2b:
    case 0x7f:
    case 0xa4:
    case 0xa5:
    case 0xab:
    case 0xac:
    case 0xad:
    case 0xb0:
    case 0xb1:
    case 0xb3:
    case 0xbb:
    case 0xc0:
    case 0xc1:
    case 0xc3:
    case 0xc7:
    case 0xd6:
    case 0xe7:
        return WRITE;
    case 0x7e:
        return decoder->repeat == 0xf3 ? READ : WRITE;
    case 0xae:
        return decoder->is_vex ? group(decoder) == 3 ? WRITE : READ : fence_access(decoder);
    case 0xba:
        return group(decoder) == 4 ? READ : WRITE;
    case 0x77:
    case 0xa0:
    case 0xa1:
    case 0xa2:
    case 0xa8:
    case 0xa9:
    case 0xaa:
        return NONE;
    default:
        break;
    }
    if (op >= 0x90 && op <= 0x9f && !decoder->is_vex)
        return WRITE;
    /* System instructions, hints that do not fault, jumps, bswap. */
    bool is_none = op < 0x10 || (op >= 0x18 && op < 0x28) || (op >= 0x30 && op < 0x40) || (op >= 0x80 && op < 0x90) ||
                   (op >= 0xc8 && op < 0xd0);
    return is_none ? NONE : READ;
}

static enum access three_byte_access(const struct decoder *decoder) {
    uint8_t op = decoder->opcode;
    if (decoder->map == 3) {
        bool stores = (op >= 0x14 && op <= 0x17) || op == 0x19 || op == 0x1b || op == 0x1d || op == 0x39 || op == 0x3b;
        return stores ? WRITE : READ;
    }
    /* Gathers and scatters have a vector of addresses. */
    if ((op >= 0x90 && op <= 0x93) || (op >= 0xa0 && op <= 0xa3))
        return NONE;
    if (op == 0xf1)
        return decoder->repeat == 0xf2 ? READ : WRITE;
    bool stores = decoder->is_vex && (op == 0x2e || op == 0x2f || op == 0x8e || op == 0x8a || op == 0x8b || op == 0x63);
    return stores ? WRITE : READ;
}

static enum access access_of(const struct decoder *decoder) {
    switch (decoder->map) {
    case 0:
        return one_byte_access(decoder);
    case 1:
        return two_byte_access(decoder);
    case 2:
    case 3:
        return three_byte_access(decoder);
    default:
        return NONE;
    }
}

/*
 * The address that ModRM, SIB and displacement make. One relative to the next instruction is canonical: it matters only
 * as the place of a target, of calls and jumps, which have no other operand behind it.
 */
static bool effective_address(struct decoder *decoder, uint64_t *address) {
    uint32_t mode = decoder->modrm >> 6;
    uint32_t base = decoder->modrm & 7;
    uint64_t sum = 0;
    bool has_base = true;
    if (base == 4) {
        uint8_t sib = next(decoder);
        uint32_t index = (sib >> 3 & 7) | (decoder->rex & REX_X ? 8 : 0);
        base = sib & 7;
        if (index != 4)
            sum = value_of(decoder, index) << (sib >> 6);
        has_base = mode != 0 || base != 5;
    } else if (mode == 0 && base == 5) {
        sum = next_signed(decoder, 4);
        *address = linear(decoder, decoder->from->registers[16] + decoder->at + sum);
        return decoder->map == 0 && decoder->opcode == 0xff && !decoder->is_short;
    }
    if (has_base)
        sum += value_of(decoder, base | (decoder->rex & REX_B ? 8 : 0));
    /* EVEX counts a short displacement in units that depend on the instruction. */
    if (mode == 1 && decoder->is_evex)
        return false;
    if (mode == 1)
        sum += next_signed(decoder, 1);
    else if (mode == 2 || !has_base)
        sum += next_signed(decoder, 4);
    *address = linear(decoder, sum);
    return !decoder->is_short;
}

static void branch(struct decoder *decoder, uint64_t target, bool in_memory) {
    decoder->out->branches = true;
    decoder->out->target = target;
    decoder->out->target_in_memory = in_memory;
}

/* String instructions, and those of one byte that use the stack. */
static bool implicit(struct decoder *decoder) {
    uint8_t op = decoder->opcode;
    if (decoder->map != 0)
        return false;
    if (op == 0xa4 || op == 0xa5 || op == 0xa6 || op == 0xa7 || op == 0xac || op == 0xad)
        add(decoder, linear(decoder, value_of(decoder, 6)), false);
    if (op == 0xa4 || op == 0xa5 || op == 0xaa || op == 0xab)
        add(decoder, value_of(decoder, 7), true);
    if (op == 0xa6 || op == 0xa7 || op == 0xae || op == 0xaf)
        add(decoder, value_of(decoder, 7), false);
    if (op >= 0xa0 && op <= 0xa3)
        add(decoder, linear(decoder, next_signed(decoder, 8)), op >= 0xa2);
    if ((op >= 0x50 && op <= 0x57) || op == 0x68 || op == 0x6a || op == 0xe8 || op == 0x9c || op == 0xc8)
        add_stack(decoder, true);
    if ((op >= 0x58 && op <= 0x5f) || op == 0x9d)
        add_stack(decoder, false);
    if (op == 0xc9)
        add(decoder, value_of(decoder, 5), false);
    if (op == 0xc2 || op == 0xc3) {
        add_stack(decoder, false);
        branch(decoder, value_of(decoder, 4), true);
    }
    return decoder->out->count > 0;
}

/* ff: calls and jumps through a register or memory, and push. */
static void indirect(struct decoder *decoder, bool has_address, uint64_t address) {
    uint32_t number = group(decoder);
    bool is_register = decoder->modrm >> 6 == 3;
    if (number == 2 || number == 4) {
        uint64_t value = value_of(decoder, (decoder->modrm & 7) | (decoder->rex & REX_B ? 8 : 0));
        if (is_register || has_address)
            branch(decoder, is_register ? value : address, !is_register);
    }
    if (number == 2 || number == 6)
        add_stack(decoder, true);
}

bool vaka_async_operands(const struct vaka_instruction *instruction, struct vaka_operands *operands) {
    struct decoder decoder = {.from = instruction, .out = operands};
    memset(operands, 0, sizeof(*operands));
    take_prefixes(&decoder);
    take_opcode(&decoder);
    if (decoder.is_short)
        return false;
    if (implicit(&decoder))
        return !decoder.is_short;
    decoder.modrm = next(&decoder);
    enum access access = access_of(&decoder);
    if (access == NONE || decoder.is_short)
        return false;
    uint64_t address = 0;
    bool has_address = decoder.modrm >> 6 != 3 && effective_address(&decoder, &address);
    if (has_address)
        add(&decoder, address, access == WRITE);
    if (decoder.map == 0 && decoder.opcode == 0xff)
        indirect(&decoder, has_address, address);
    if (decoder.map == 0 && decoder.opcode == 0x8f)
        add_stack(&decoder, false);
    return operands->count > 0 || operands->branches;
}
