/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call frame information: the .eh_frame that every image has mapped (LSB 5.0, 10.6; DWARF 5, 6.4), read by safe reads
 * only. Everything that is read is doubted; all loops are bounded. Not reentrant: the state is static.
 */
#ifndef VAKA_ASYNC_CFI_H
#define VAKA_ASYNC_CFI_H

#include "state.h"

#pragma GCC visibility push(hidden)

/* The tests read arm64's files on other machines, too. */
#if defined(__aarch64__) || defined(VAKA_TEST_ARM64)
#define VAKA_CFI_ARM64 1
#else
#define VAKA_CFI_ARM64 0
#endif

/* Registers by DWARF number, as far as frames depend on them: the program counter is the last. */
#if !VAKA_CFI_ARM64
#define VAKA_CFI_REGISTERS 17u
#define VAKA_CFI_FP 6u
#define VAKA_CFI_SP 7u
#define VAKA_CFI_PC 16u
#else
#define VAKA_CFI_REGISTERS 33u
#define VAKA_CFI_FP 29u
#define VAKA_CFI_LR 30u
#define VAKA_CFI_SP 31u
#define VAKA_CFI_PC 32u
#endif

/* The registers of one frame. */
struct vaka_registers {
    uint64_t values[VAKA_CFI_REGISTERS];
    uint64_t known; /* bit a register */
};

/* Where a caller's register is. */
enum vaka_cfi_rule_kind {
    VAKA_RULE_UNDEFINED, /* nowhere */
    VAKA_RULE_SAME,      /* where the callee has it */
    VAKA_RULE_OFFSET,    /* in memory, `value` bytes from the canonical frame address */
    VAKA_RULE_VAL_OFFSET, /* it is the canonical frame address plus `value` */
    VAKA_RULE_REGISTER,  /* in register `value` */
    VAKA_RULE_EXPRESSION, /* in memory, at what the expression at address `value` comes to */
    VAKA_RULE_VAL_EXPRESSION, /* it is what that comes to */
};

struct vaka_cfi_rule {
    int64_t value;
    uint32_t bytes; /* of the expression */
    uint32_t kind;  /* enum vaka_cfi_rule_kind */
};

/* The rules for a range of addresses. */
struct vaka_cfi_row {
    uint64_t start, end;
    /* REGISTER + offset (`cfa_register`, `cfa.value`), or kind EXPRESSION. */
    struct vaka_cfi_rule cfa;
    uint32_t cfa_register;
    uint32_t return_register;
    bool is_signal_frame; /* its caller was interrupted, not left by a call */
    struct vaka_cfi_rule rules[VAKA_CFI_REGISTERS];
};

/* A common information entry with one of its frame description entries. */
struct vaka_cfi_entry {
    uint64_t start, end;           /* the addresses it is for */
    uint64_t cie_program, cie_end; /* where the common instructions lie */
    uint64_t program, program_end; /* and its own */
    uint64_t code_factor;
    int64_t data_factor;
    uint32_t return_register;
    uint8_t encoding; /* of addresses */
    bool is_signal_frame;
};

/* Where an image's call frame information is found. */
struct vaka_cfi_source {
    uint64_t header;       /* .eh_frame_hdr; 0 where it has none */
    uint64_t header_bytes; /* of its segment */
    uint64_t frames;       /* .eh_frame, where it has no header */
    uint64_t limit;        /* .eh_frame ends before this or at this */
};

enum vaka_cfi_result {
    VAKA_CFI_FOUND,
    VAKA_CFI_END,     /* the rules say that there is no caller */
    VAKA_CFI_NONE,    /* there are no rules for the address */
    VAKA_CFI_INVALID, /* unreadable, or comes to nothing sensible */
};

/* Forgets what is known of images: at the crash, once the table of images is up to date. */
void vaka_async_cfi_begin(void);
void vaka_async_cfi_forget_common(void);
/* What a walk may do in all: opcodes, operations and entries. A damaged table ends the walk, not the process. */
void vaka_async_cfi_set_budget(uint32_t steps);
/* Takes one step; false when the budget is used up. */
bool vaka_async_cfi_spend(void);

/* The entry for an address. */
enum vaka_cfi_result vaka_async_cfi_find(const struct vaka_cfi_source *source, uint64_t address,
                                         struct vaka_cfi_entry *entry);
/* The entry at a place of .eh_frame; `next` is where the one after it begins. NONE: it describes no frames. */
enum vaka_cfi_result vaka_async_cfi_parse(uint64_t at, struct vaka_cfi_entry *entry, uint64_t *next);
/* The rules at an address of the entry's range. */
enum vaka_cfi_result vaka_async_cfi_row(const struct vaka_cfi_entry *entry, uint64_t address, struct vaka_cfi_row *row);

/* What an expression comes to. `cfa`: pushed first, NULL while it is the frame address that is being worked out. */
bool vaka_async_cfi_evaluate(uint64_t expression, uint32_t bytes, const struct vaka_registers *registers,
                             const uint64_t *cfa, uint64_t *result);

/* From a frame to its caller by a row's rules. */
enum vaka_cfi_result vaka_async_cfi_apply(const struct vaka_cfi_row *row, const struct vaka_registers *registers,
                                          struct vaka_registers *caller);
/* The same by the rules of the image that holds `lookup`; `interrupted`: a signal took the caller there, not a call. */
enum vaka_cfi_result vaka_async_cfi_step(const struct vaka_registers *registers, uint64_t lookup,
                                         struct vaka_registers *caller, bool *interrupted);

static inline bool vaka_async_knows(const struct vaka_registers *registers, uint64_t number) {
    return number < VAKA_CFI_REGISTERS && (registers->known >> number & 1) != 0;
}

static inline void vaka_async_set_register(struct vaka_registers *registers, uint32_t number, uint64_t value) {
    registers->values[number] = value;
    registers->known |= (uint64_t)1 << number;
}

/* arm64 signs return addresses in the bits above an address's (pointer authentication). */
static inline uint64_t vaka_async_stripped(uint64_t address) {
#if VAKA_CFI_ARM64
    return address & 0x0000ffffffffffffu;
#else
    return address;
#endif
}

#pragma GCC visibility pop
#endif
