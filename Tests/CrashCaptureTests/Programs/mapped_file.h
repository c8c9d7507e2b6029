/* SPDX-License-Identifier: Apache-2.0 */
/* An ELF file mapped as the dynamic linker would, without its relocations. */
#ifndef MAPPED_FILE_H
#define MAPPED_FILE_H

#include "async/cfi.h"

#include <err.h>
#include <fcntl.h>
#include <gelf.h>
#include <sys/mman.h>

struct mapped_file {
    Elf *elf;
    uint64_t bias;
    uint64_t bytes;
    uint64_t code, code_end;
    uint64_t tables_end; /* of the segment that holds the call frame information */
    struct vaka_cfi_source source;
};

static void map_segment(int fd, const struct mapped_file *file, const GElf_Phdr *segment, int protection) {
    uint64_t start = segment->p_vaddr & ~(uint64_t)4095;
    uint64_t shift = segment->p_vaddr - start;
    if (mmap((void *)(file->bias + start), segment->p_filesz + shift, protection, MAP_PRIVATE | MAP_FIXED, fd,
             (off_t)(segment->p_offset - shift)) == MAP_FAILED)
        err(2, "mmap");
}

static GElf_Phdr segment_of(Elf *elf, size_t index) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf, (int)index, &segment) == NULL)
        errx(2, "a segment is damaged");
    return segment;
}

static uint64_t bytes_of(Elf *elf, size_t count) {
    uint64_t end = 0;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment = segment_of(elf, i);
        if (segment.p_type == PT_LOAD && segment.p_vaddr + segment.p_memsz > end)
            end = segment.p_vaddr + segment.p_memsz;
    }
    return end;
}

static struct mapped_file map_file(const char *path, int protection) {
    struct mapped_file file = {0};
    size_t count;
    elf_version(EV_CURRENT);
    int fd = open(path, O_RDONLY);
    file.elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
    if (file.elf == NULL || elf_getphdrnum(file.elf, &count) != 0)
        errx(2, "%s is no ELF file", path);
    file.bytes = bytes_of(file.elf, count);
    file.bias = (uint64_t)mmap(NULL, file.bytes + 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment = segment_of(file.elf, i);
        uint64_t start = file.bias + segment.p_vaddr;
        if (segment.p_type == PT_LOAD)
            map_segment(fd, &file, &segment, protection);
        if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0) {
            file.code = start;
            file.code_end = start + segment.p_memsz;
        }
        if (segment.p_type == PT_GNU_EH_FRAME)
            file.source = (struct vaka_cfi_source){start, segment.p_memsz, 0, file.bias + file.bytes};
    }
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment = segment_of(file.elf, i);
        if (segment.p_type == PT_LOAD && file.source.header - file.bias - segment.p_vaddr < segment.p_filesz)
            file.tables_end = file.bias + segment.p_vaddr + segment.p_filesz;
    }
    return file;
}

#endif
