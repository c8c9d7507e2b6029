/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handler's rules against libdw's: cfi_differential FILE. Maps the file as the dynamic linker would and compares
 * the rules of every row of every frame description entry. Prints each difference, then "FILE: N entries, N rows, N
 * different", and how often libdw is known to be wrong (elfutils 0.188):
 *
 * - Its defaults for x86_64 name register 0 where they mean rbx, which is 3 (System V ABI AMD64, figure 3.36): rax counts
 *   as kept and rbx as lost where no rule names them.
 * - After DW_CFA_restore_state it gives the start of the row that was remembered, not that of the row at hand.
 */
#include "mapped_file.h"

#include "async/cursor.h"
#include "async/reader.h"
#include "async/system.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_MAX 40
#define DEPTH_MAX 64

static struct mapped_file file;
static unsigned long entries, rows, different, wrong_defaults, wrong_starts;
/* What expressions are evaluated with: registers that point into memory. */
static uint64_t memory[4096];
static struct vaka_registers registers;

static void differ(uint64_t address, const char *what, long ours, long theirs) {
    if (different++ < SHOWN_MAX)
        printf("0x%lx: %s: ours 0x%lx, libdw's 0x%lx\n", (unsigned long)address, what, ours, theirs);
}

static int64_t combine(unsigned int atom, int64_t left, int64_t right) {
    switch (atom) {
    case DW_OP_plus:
        return left + right;
    case DW_OP_minus:
        return left - right;
    case DW_OP_mul:
        return left * right;
    case DW_OP_and:
        return left & right;
    case DW_OP_shl:
        return left << right;
    case DW_OP_ge:
        return left >= right;
    default:
        errx(2, "operation 0x%x is not known here", atom);
    }
}

/* A second opinion on an expression, from libdw's decoding of it. False where it reads what is not there. */
static bool evaluate(const Dwarf_Op *operations, size_t count, uint64_t cfa, uint64_t *result) {
    int64_t stack[DEPTH_MAX];
    int depth = 0;
    for (size_t i = 0; i < count; i++) {
        const Dwarf_Op *operation = operations + i;
        if (depth >= DEPTH_MAX - 1)
            errx(2, "an expression is too deep");
        if (operation->atom == DW_OP_call_frame_cfa) {
            stack[depth++] = (int64_t)cfa;
        } else if (operation->atom >= DW_OP_breg0 && operation->atom <= DW_OP_breg31) {
            uint64_t base = registers.values[operation->atom - DW_OP_breg0];
            stack[depth++] = (int64_t)(base + operation->number);
        } else if (operation->atom == DW_OP_bregx) {
            stack[depth++] = (int64_t)(registers.values[operation->number] + operation->number2);
        } else if (operation->atom >= DW_OP_lit0 && operation->atom <= DW_OP_lit31) {
            stack[depth++] = operation->atom - DW_OP_lit0;
        } else if (operation->atom >= DW_OP_const1u && operation->atom <= DW_OP_consts) {
            stack[depth++] = (int64_t)operation->number;
        } else if (operation->atom == DW_OP_plus_uconst) {
            stack[depth - 1] += (int64_t)operation->number;
        } else if (operation->atom == DW_OP_dup) {
            stack[depth] = stack[depth - 1];
            depth++;
        } else if (operation->atom == DW_OP_deref) {
            if (!vaka_async_read((uint64_t)stack[depth - 1], &stack[depth - 1], sizeof(stack[0])))
                return false;
        } else if (operation->atom != DW_OP_stack_value) {
            stack[depth - 2] = combine(operation->atom, stack[depth - 2], stack[depth - 1]);
            depth--;
        }
    }
    *result = (uint64_t)stack[depth - 1];
    return true;
}

static void compare_expression(uint64_t address, const struct vaka_cfi_rule *rule, const Dwarf_Op *operations,
                               size_t count, const uint64_t *cfa) {
    uint64_t ours = 0, theirs = 0;
    vaka_async_cfi_set_budget(UINT32_MAX);
    bool is_ours = vaka_async_cfi_evaluate((uint64_t)rule->value, rule->bytes, &registers, cfa, &ours);
    bool is_theirs = evaluate(operations, count, cfa == NULL ? 0 : *cfa, &theirs);
    if (is_ours != is_theirs)
        differ(address, "an expression fails", is_ours, is_theirs);
    else if (ours != theirs)
        differ(address, "expression", (long)ours, (long)theirs);
}

static void compare_cfa(uint64_t address, const struct vaka_cfi_row *row, Dwarf_Frame *frame) {
    Dwarf_Op *operations;
    size_t count;
    if (dwarf_frame_cfa(frame, &operations, &count) != 0 || count == 0) {
        differ(address, "libdw has no frame address", 0, 0);
    } else if (row->cfa.kind == VAKA_RULE_EXPRESSION) {
        compare_expression(address, &row->cfa, operations, count, NULL);
    } else if (count != 1 || operations[0].atom != DW_OP_bregx) {
        differ(address, "kind of the frame address", row->cfa.kind, operations[0].atom);
    } else {
        if (row->cfa_register != operations[0].number)
            differ(address, "register of the frame address", row->cfa_register, (long)operations[0].number);
        if (row->cfa.value != (int64_t)operations[0].number2)
            differ(address, "offset of the frame address", row->cfa.value, (long)operations[0].number2);
    }
}

/* libdw's operations say in few words what kind of rule they stand for. */
static uint32_t kind_of(const Dwarf_Op *operations, size_t count) {
    if (operations == NULL)
        return VAKA_RULE_SAME;
    if (count == 0)
        return VAKA_RULE_UNDEFINED;
    if (operations[0].atom == DW_OP_regx)
        return VAKA_RULE_REGISTER;
    bool is_value = operations[count - 1].atom == DW_OP_stack_value;
    size_t rest = count - (is_value ? 1 : 0);
    bool is_offset = operations[0].atom == DW_OP_call_frame_cfa &&
                     (rest == 1 || (rest == 2 && operations[1].atom == DW_OP_plus_uconst));
    if (is_offset)
        return is_value ? VAKA_RULE_VAL_OFFSET : VAKA_RULE_OFFSET;
    return is_value ? VAKA_RULE_VAL_EXPRESSION : VAKA_RULE_EXPRESSION;
}

static void compare_register(uint64_t address, const struct vaka_cfi_row *row, Dwarf_Frame *frame, int number) {
    Dwarf_Op scratch[3];
    Dwarf_Op *operations;
    size_t count;
    const struct vaka_cfi_rule *rule = &row->rules[number];
    if (dwarf_frame_register(frame, number, scratch, &operations, &count) != 0) {
        differ(address, "libdw has no rule for register", number, number);
        return;
    }
    uint32_t theirs = kind_of(operations, count);
    if (!VAKA_CFI_ARM64 && number == 0 && rule->kind == VAKA_RULE_UNDEFINED && theirs == VAKA_RULE_SAME) {
        wrong_defaults++;
    } else if (!VAKA_CFI_ARM64 && number == 3 && rule->kind == VAKA_RULE_SAME && theirs == VAKA_RULE_UNDEFINED) {
        wrong_defaults++;
    } else if (rule->kind != theirs) {
        char what[64];
        snprintf(what, sizeof(what), "kind of the rule for register %d", number);
        differ(address, what, rule->kind, theirs);
    } else if (theirs == VAKA_RULE_REGISTER) {
        if (rule->value != (int64_t)operations[0].number)
            differ(address, "register in a register", rule->value, (long)operations[0].number);
    } else if (theirs == VAKA_RULE_OFFSET || theirs == VAKA_RULE_VAL_OFFSET) {
        bool has_offset = count > 1 && operations[1].atom == DW_OP_plus_uconst;
        int64_t offset = has_offset ? (int64_t)operations[1].number : 0;
        if (rule->value != offset)
            differ(address, "offset of a register", rule->value, offset);
    } else if (theirs == VAKA_RULE_EXPRESSION || theirs == VAKA_RULE_VAL_EXPRESSION) {
        uint64_t cfa = (uint64_t)(uintptr_t)&memory[1024];
        compare_expression(address, rule, operations, count, &cfa);
    }
}

/* Whether the byte of DW_CFA_restore_state is among its instructions. */
static bool has_restored(const struct vaka_cfi_entry *entry) {
    return memchr((const void *)entry->program, DW_CFA_restore_state, entry->program_end - entry->program) != NULL;
}

/* Returns where the next row begins. */
static uint64_t compare_row(Dwarf_CFI *cfi, const struct vaka_cfi_entry *entry, uint64_t address) {
    static struct vaka_cfi_row row;
    Dwarf_Frame *frame;
    Dwarf_Addr start, end;
    bool is_signal;
    vaka_async_cfi_set_budget(UINT32_MAX);
    enum vaka_cfi_result result = vaka_async_cfi_row(entry, address + file.bias, &row);
    int failure = dwarf_cfi_addrframe(cfi, address, &frame);
    rows++;
    if (failure != 0 || result != VAKA_CFI_FOUND) {
        if ((failure != 0) != (result != VAKA_CFI_FOUND))
            differ(address, failure != 0 ? dwarf_errmsg(-1) : "only libdw has rules", result, failure);
        return entry->end - file.bias;
    }
    int returns = dwarf_frame_info(frame, &start, &end, &is_signal);
    if (start < row.start - file.bias && row.start - file.bias == address && has_restored(entry))
        wrong_starts++;
    else if (row.start - file.bias != start)
        differ(address, "start", (long)(row.start - file.bias), (long)start);
    if (row.end - file.bias != end)
        differ(address, "end", (long)(row.end - file.bias), (long)end);
    if (row.is_signal_frame != is_signal)
        differ(address, "signal frame", row.is_signal_frame, is_signal);
    if (row.return_register != (uint32_t)returns)
        differ(address, "return address register", row.return_register, returns);
    compare_cfa(address, &row, frame);
    for (int number = 0; number < (int)VAKA_CFI_REGISTERS; number++)
        compare_register(address, &row, frame, number);
    free(frame);
    return end > address ? end : entry->end - file.bias;
}

static void compare_entry(Dwarf_CFI *cfi, uint64_t place) {
    struct vaka_cfi_entry entry, found;
    uint64_t next;
    if (vaka_async_cfi_parse(place, &entry, &next) != VAKA_CFI_FOUND) {
        differ(place - file.bias, "no entry", 0, 0);
        return;
    }
    entries++;
    if (entry.start == entry.end)
        return;
    vaka_async_cfi_set_budget(UINT32_MAX);
    if (vaka_async_cfi_find(&file.source, entry.end - 1, &found) != VAKA_CFI_FOUND || found.program != entry.program)
        differ(entry.start - file.bias, "the table leads elsewhere", (long)found.start, (long)entry.start);
    for (uint64_t at = entry.start - file.bias; at < entry.end - file.bias;)
        at = compare_row(cfi, &entry, at);
}

static void compare_section(Dwarf_CFI *cfi, Elf *elf, Elf_Scn *section, const GElf_Shdr *header) {
    GElf_Ehdr header_of_file;
    Elf_Data *data = elf_rawdata(section, NULL);
    gelf_getehdr(elf, &header_of_file);
    for (Dwarf_Off at = 0;;) {
        Dwarf_CFI_Entry entry;
        Dwarf_Off next;
        int result = dwarf_next_cfi(header_of_file.e_ident, data, true, at, &next, &entry);
        if (result != 0)
            return;
        if (!dwarf_cfi_cie_p(&entry))
            compare_entry(cfi, file.bias + header->sh_addr + at);
        at = next;
    }
}

/* Without a sorted table the entries are gone through one by one: to the same entry, for some addresses. */
static void compare_without_table(void) {
    struct vaka_cfi_entry with, without;
    const struct vaka_cfi_source *source = &file.source;
    uint8_t *table_encoding = (uint8_t *)source->header + 3;
    uint64_t step = (file.code_end - file.code) / 50;
    for (uint64_t at = file.code + step / 2; at < file.code_end; at += step) {
        uint8_t encoding = *table_encoding;
        vaka_async_cfi_set_budget(UINT32_MAX);
        enum vaka_cfi_result first = vaka_async_cfi_find(source, at, &with);
        *table_encoding = VAKA_ENCODING_OMIT;
        vaka_async_reader_begin(vaka_async_getpid(), false);
        enum vaka_cfi_result second = vaka_async_cfi_find(source, at, &without);
        *table_encoding = encoding;
        vaka_async_reader_begin(vaka_async_getpid(), false);
        if (first != second || (first == VAKA_CFI_FOUND && with.program != without.program))
            differ(at - file.bias, "without the table", second, first);
    }
}

int main(int count, char **arguments) {
    if (count != 2)
        errx(2, "usage: cfi_differential FILE");
    file = map_file(arguments[1], PROT_READ | PROT_WRITE);
    Elf *elf = file.elf;
    vaka_async_reader_prepare(200);
    for (size_t i = 0; i < sizeof(memory) / sizeof(memory[0]); i++)
        memory[i] = (uint64_t)(uintptr_t)&memory[(i * 7 + 3) % 4096];
    for (uint32_t i = 0; i < VAKA_CFI_REGISTERS; i++)
        vaka_async_set_register(&registers, i, (uint64_t)(uintptr_t)&memory[1024 + 8 * i]);
    Dwarf_CFI *cfi = dwarf_getcfi_elf(elf);
    size_t names;
    elf_getshdrstrndx(elf, &names);
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr header;
        const char *name;
        if (gelf_getshdr(section, &header) != NULL && (name = elf_strptr(elf, names, header.sh_name)) != NULL &&
            strcmp(name, ".eh_frame") == 0)
            compare_section(cfi, elf, section, &header);
    }
    compare_without_table();
    printf("%s: %lu entries, %lu rows, %lu different; libdw is wrong in %lu defaults, %lu starts\n", arguments[1],
           entries, rows, different, wrong_defaults, wrong_starts);
    return different == 0 && rows > 0 ? 0 : 1;
}
