/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decoder of the crash handler, compiled once more under another name: programs that read core files do not link
 * the handler.
 */
#define vaka_async_operands vaka_core_operands
#include "../CVakaCrash/async/operand.c"

#include "vaka_instruction.h"

/* The widest operand; a fault may lie anywhere in it. */
#define OPERAND_BYTES 64u

bool vaka_is_canonical(uint64_t address) {
    return (uint64_t)((int64_t)(address << 16) >> 16) == address;
}

static struct vaka_instruction instruction_of(const struct vaka_code *code) {
    return (struct vaka_instruction){
        .code = code->bytes,
        .bytes = code->count < VAKA_CODE_BYTES ? code->count : VAKA_CODE_BYTES,
        .registers = code->registers,
        .fs_base = code->fs_base,
        .gs_base = code->gs_base,
    };
}

/* An operand relative to the next instruction, wherever that begins: the decoder leaves those out. */
static enum vaka_access relative_access(const struct vaka_instruction *instruction, uint64_t pc, uint64_t fault) {
    struct vaka_operands unused = {0};
    struct decoder decoder = {.from = instruction, .out = &unused};
    take_prefixes(&decoder);
    take_opcode(&decoder);
    decoder.modrm = next(&decoder);
    enum access access = access_of(&decoder);
    if (access == NONE || decoder.modrm >> 6 != 0 || (decoder.modrm & 7) != 5)
        return VAKA_ACCESS_UNKNOWN;
    uint64_t from = pc + decoder.at + 4 + next_signed(&decoder, 4);
    if (decoder.is_short || fault - from >= OPERAND_BYTES + VAKA_CODE_BYTES)
        return VAKA_ACCESS_UNKNOWN;
    return access == WRITE ? VAKA_ACCESS_WRITE : VAKA_ACCESS_READ;
}

enum vaka_access vaka_access_at(const struct vaka_code *code, uint64_t fault) {
    uint64_t pc = code->registers[16];
    if (fault == pc)
        return VAKA_ACCESS_EXECUTE;
    struct vaka_instruction instruction = instruction_of(code);
    struct vaka_operands operands;
    if (!vaka_core_operands(&instruction, &operands))
        return relative_access(&instruction, pc, fault);
    for (uint32_t i = 0; i < operands.count; i++) {
        if (fault - operands.items[i].address < OPERAND_BYTES)
            return operands.items[i].is_write ? VAKA_ACCESS_WRITE : VAKA_ACCESS_READ;
    }
    /* What holds the target of a branch is read first. */
    if (operands.branches && operands.target_in_memory && fault - operands.target < OPERAND_BYTES)
        return VAKA_ACCESS_READ;
    return relative_access(&instruction, pc, fault);
}

bool vaka_find_bad_address(const struct vaka_code *code, struct vaka_bad_address *bad) {
    struct vaka_instruction instruction = instruction_of(code);
    struct vaka_operands operands;
    *bad = (struct vaka_bad_address){0};
    if (!vaka_core_operands(&instruction, &operands))
        return false;
    for (uint32_t i = 0; i < operands.count; i++) {
        if (vaka_is_canonical(operands.items[i].address))
            continue;
        bad->address = operands.items[i].address;
        bad->access = operands.items[i].is_write ? VAKA_ACCESS_WRITE : VAKA_ACCESS_READ;
        return true;
    }
    if (!operands.branches)
        return false;
    bad->address = operands.target;
    bad->access = VAKA_ACCESS_EXECUTE;
    bad->is_in_memory = operands.target_in_memory;
    return bad->is_in_memory || !vaka_is_canonical(operands.target);
}
