/* SPDX-License-Identifier: Apache-2.0 */
/* What an x86_64 instruction did with memory, from its bytes and the registers, for readers of core files. */
#ifndef VAKA_INSTRUCTION_H
#define VAKA_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Instructions are not longer. */
#define VAKA_CODE_BYTES 15

enum vaka_access { VAKA_ACCESS_UNKNOWN, VAKA_ACCESS_READ, VAKA_ACCESS_WRITE, VAKA_ACCESS_EXECUTE };

/* The instruction that a thread was at. */
struct vaka_code {
    uint8_t bytes[VAKA_CODE_BYTES];
    uint32_t count;         /* that are known */
    uint64_t registers[18]; /* in DWARF order, rip and rflags last */
    uint64_t fs_base;
    uint64_t gs_base;
};

/* An address that the processor refused without telling it. */
struct vaka_bad_address {
    uint64_t address;
    enum vaka_access access;
    bool is_in_memory; /* the address of the branch's target, which is to be looked at */
};

/* What the instruction tried to do at `fault`. Pure. */
enum vaka_access vaka_access_at(const struct vaka_code *_Nonnull code, uint64_t fault);

/* The operand or the branch's target that is no canonical address. Pure. */
bool vaka_find_bad_address(const struct vaka_code *_Nonnull code, struct vaka_bad_address *_Nonnull bad);

/* Whether the upper 16 bits repeat bit 47. */
bool vaka_is_canonical(uint64_t address);

#endif
