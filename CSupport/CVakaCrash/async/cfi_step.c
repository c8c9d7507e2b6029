/* SPDX-License-Identifier: Apache-2.0 */
/* From a frame's registers to its caller's. */
#include "capture.h"
#include "cfi.h"
#include "reader.h"

/* Stacks repeat: recursion, and threads that wait in the same place. A power of two. */
#define ROWS 64u

static struct {
    uint64_t address; /* 0: empty */
    enum vaka_cfi_result result;
    struct vaka_cfi_row row;
} rows[ROWS];

void vaka_async_cfi_begin(void) {
    for (uint32_t i = 0; i < ROWS; i++)
        rows[i].address = 0;
    vaka_async_cfi_forget_common();
}

static enum vaka_cfi_result find_row(uint64_t lookup, struct vaka_cfi_row *row) {
    static struct vaka_cfi_entry entry;
    const struct vaka_known_image *image = vaka_async_image_at(lookup);
    if (image == NULL)
        return VAKA_CFI_NONE;
    struct vaka_cfi_source source = {
        .header = image->frames_header,
        .header_bytes = image->frames_header_bytes,
        .frames = image->frames_start,
        .limit = image->frames_start != 0 ? image->frames_end : image->head.image_address + image->head.image_bytes,
    };
    enum vaka_cfi_result result = vaka_async_cfi_find(&source, lookup, &entry);
    return result == VAKA_CFI_FOUND ? vaka_async_cfi_row(&entry, lookup, row) : result;
}

static bool canonical_address(const struct vaka_cfi_row *row, const struct vaka_registers *registers, uint64_t *cfa) {
    if (row->cfa.kind == VAKA_RULE_EXPRESSION)
        return vaka_async_cfi_evaluate((uint64_t)row->cfa.value, row->cfa.bytes, registers, NULL, cfa);
    if (!vaka_async_knows(registers, row->cfa_register))
        return false;
    *cfa = registers->values[row->cfa_register] + (uint64_t)row->cfa.value;
    return true;
}

static bool find_value(const struct vaka_cfi_rule *rule, uint32_t number, const struct vaka_registers *registers,
                       uint64_t cfa, uint64_t *value) {
    uint64_t place;
    switch (rule->kind) {
    case VAKA_RULE_SAME:
        *value = registers->values[number];
        return vaka_async_knows(registers, number);
    case VAKA_RULE_OFFSET:
        return vaka_async_read(cfa + (uint64_t)rule->value, value, sizeof(*value));
    case VAKA_RULE_VAL_OFFSET:
        *value = cfa + (uint64_t)rule->value;
        return true;
    case VAKA_RULE_REGISTER:
        if (!vaka_async_knows(registers, (uint64_t)rule->value))
            return false;
        *value = registers->values[rule->value];
        return true;
    case VAKA_RULE_EXPRESSION:
        return vaka_async_cfi_evaluate((uint64_t)rule->value, rule->bytes, registers, &cfa, &place) &&
               vaka_async_read(place, value, sizeof(*value));
    case VAKA_RULE_VAL_EXPRESSION:
        return vaka_async_cfi_evaluate((uint64_t)rule->value, rule->bytes, registers, &cfa, value);
    default:
        return false;
    }
}

enum vaka_cfi_result vaka_async_cfi_apply(const struct vaka_cfi_row *row, const struct vaka_registers *registers,
                                          struct vaka_registers *caller) {
    uint64_t cfa, value;
    uint32_t returns = row->return_register;
    if (!canonical_address(row, registers, &cfa))
        return VAKA_CFI_INVALID;
    if (row->rules[returns].kind == VAKA_RULE_UNDEFINED)
        return VAKA_CFI_END;
    uint64_t address;
    if (!find_value(&row->rules[returns], returns, registers, cfa, &address))
        return VAKA_CFI_INVALID;
    caller->known = 0;
    for (uint32_t i = 0; i < VAKA_CFI_REGISTERS; i++) {
        /* One that cannot be had is no reason to stop: the walk may never need it. */
        if (i != VAKA_CFI_PC && find_value(&row->rules[i], i, registers, cfa, &value))
            vaka_async_set_register(caller, i, value);
    }
    vaka_async_set_register(caller, VAKA_CFI_PC, vaka_async_stripped(address));
    return VAKA_CFI_FOUND;
}

enum vaka_cfi_result vaka_async_cfi_step(const struct vaka_registers *registers, uint64_t lookup,
                                         struct vaka_registers *caller, bool *interrupted) {
    uint32_t slot = (uint32_t)((lookup ^ lookup >> 12) & (ROWS - 1));
    if (lookup == 0)
        return VAKA_CFI_NONE;
    if (rows[slot].address != lookup) {
        /* A crash in here must not leave half a row behind. */
        rows[slot].address = 0;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        rows[slot].result = find_row(lookup, &rows[slot].row);
        /* What ended for want of budget may succeed in the next walk. */
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        if (rows[slot].result != VAKA_CFI_INVALID)
            rows[slot].address = lookup;
    }
    if (rows[slot].result != VAKA_CFI_FOUND)
        return rows[slot].result;
    *interrupted = rows[slot].row.is_signal_frame;
    return vaka_async_cfi_apply(&rows[slot].row, registers, caller);
}
