/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A function of a statically linked Swift runtime. The dynamic linker does not know it, as programs export nothing; the
 * symbol table of the program's file does, unless it was stripped. Other programs are not looked through.
 */
#include "internal.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#define SECTIONS_MAX 1024
#define PROGRAM_HEADERS_MAX 64
#define TABLE_BYTES_MAX (256u * 1024u * 1024u)
#define SWIFT_SECTION "swift5_"

struct program {
    int fd;
    Elf64_Ehdr header;
    Elf64_Shdr symbols;
    Elf64_Shdr strings;
    bool is_swift;
};

static bool read_at(int fd, void *out, size_t bytes, uint64_t offset) {
    return pread(fd, out, bytes, (off_t)offset) == (ssize_t)bytes;
}

static bool read_section(const struct program *program, uint32_t number, Elf64_Shdr *section) {
    return number < program->header.e_shnum &&
           read_at(program->fd, section, sizeof(*section), program->header.e_shoff + number * sizeof(*section));
}

static bool read_sections(struct program *program) {
    Elf64_Shdr names, section;
    char name[sizeof(SWIFT_SECTION) - 1];
    const Elf64_Ehdr *header = &program->header;
    if (!read_at(program->fd, &program->header, sizeof(*header), 0) || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_shentsize != sizeof(section) || !read_section(program, header->e_shstrndx, &names))
        return false;
    for (uint32_t i = 1; i < header->e_shnum && i < SECTIONS_MAX; i++) {
        if (!read_section(program, i, &section))
            return false;
        if (section.sh_type == SHT_SYMTAB && section.sh_entsize == sizeof(Elf64_Sym))
            program->symbols = section;
        else if (read_at(program->fd, name, sizeof(name), names.sh_offset + section.sh_name) &&
                 memcmp(name, SWIFT_SECTION, sizeof(name)) == 0)
            program->is_swift = true;
    }
    return program->is_swift && program->symbols.sh_type == SHT_SYMTAB &&
           read_section(program, program->symbols.sh_link, &program->strings);
}

/* Read, not mapped: a file may be cut. Its last byte is 0. */
static char *read_table(int fd, const Elf64_Shdr *section) {
    if (section->sh_size == 0 || section->sh_size > TABLE_BYTES_MAX)
        return NULL;
    char *table = mmap(NULL, section->sh_size + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (table == MAP_FAILED)
        return NULL;
    if (read_at(fd, table, section->sh_size, section->sh_offset))
        return table;
    munmap(table, section->sh_size + 1);
    return NULL;
}

/* Its linked address, or 0. */
static uint64_t find_function(const struct program *program, const char *name) {
    uint64_t address = 0;
    char *symbols = read_table(program->fd, &program->symbols);
    char *strings = read_table(program->fd, &program->strings);
    size_t count = symbols == NULL || strings == NULL ? 0 : program->symbols.sh_size / sizeof(Elf64_Sym);
    for (size_t i = 0; i < count && address == 0; i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, symbols + i * sizeof(symbol), sizeof(symbol));
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_name < program->strings.sh_size &&
            strcmp(strings + symbol.st_name, name) == 0)
            address = symbol.st_value;
    }
    if (symbols != NULL)
        munmap(symbols, program->symbols.sh_size + 1);
    if (strings != NULL)
        munmap(strings, program->strings.sh_size + 1);
    return address;
}

/* Actual minus linked address: the kernel tells where the program headers lie, the file where they were linked to. */
static bool find_bias(const struct program *program, uint64_t *bias) {
    Elf64_Phdr segment;
    for (uint32_t i = 0; i < program->header.e_phnum && i < PROGRAM_HEADERS_MAX; i++) {
        if (!read_at(program->fd, &segment, sizeof(segment), program->header.e_phoff + i * sizeof(segment)))
            return false;
        if (segment.p_type != PT_PHDR)
            continue;
        *bias = getauxval(AT_PHDR) - segment.p_vaddr;
        return true;
    }
    return false;
}

void *vaka_program_function(const char *name) {
    uint64_t bias, address = 0;
    struct program program = {.fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)};
    if (program.fd < 0)
        return NULL;
    if (read_sections(&program) && find_bias(&program, &bias))
        address = find_function(&program, name);
    close(program.fd);
    return address == 0 ? NULL : (void *)(uintptr_t)(bias + address);
}
