/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory that an x86_64 instruction touches, from its bytes and the registers: the processor does not tell a
 * non-canonical address. Intel's manual, volume 2: chapter 2 and the opcode maps of appendix A. Bounded and pure.
 */
#ifndef VAKA_ASYNC_OPERAND_H
#define VAKA_ASYNC_OPERAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

#define VAKA_INSTRUCTION_BYTES 15
#define VAKA_OPERANDS_MAX 3

struct vaka_operand {
    uint64_t address;
    bool is_write;
};

/* What an instruction does with memory, in the order in which it faults. */
struct vaka_operands {
    uint32_t count;
    struct vaka_operand items[VAKA_OPERANDS_MAX];
    /* A jump, call or return to a place that is not in the instruction: a value, or what lies at an address. */
    bool branches;
    bool target_in_memory;
    uint64_t target;
};

struct vaka_instruction {
    const uint8_t *code;
    size_t bytes;              /* that could be read, at most VAKA_INSTRUCTION_BYTES */
    const uint64_t *registers; /* in DWARF order */
    uint64_t fs_base;
    uint64_t gs_base;
};

/* False where the instruction is none that touches memory, or not one that is understood. */
bool vaka_async_operands(const struct vaka_instruction *instruction, struct vaka_operands *operands);

#pragma GCC visibility pop
#endif
