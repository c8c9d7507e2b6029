/* SPDX-License-Identifier: Apache-2.0 */
/* An image's extent and build id, from its ELF header in memory, by safe reads only. */
#include "capture.h"
#include "reader.h"

#include <elf.h>
#include <string.h>

#define PAGE 4096u
#define HEADERS_MAX 128
#define NOTES_MAX 256
/* How far below the dynamic section the ELF header is looked for, where the load bias is not its address. */
#define SEARCH_PAGES 8192u

static bool read_header(uint64_t address, Elf64_Ehdr *header) {
    return vaka_async_read(address, header, sizeof(*header)) && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_phentsize == sizeof(Elf64_Phdr);
}

/* Most images are linked at 0, so that their bias is their address. */
static bool find_header(uint64_t load_bias, uint64_t dynamic, uint64_t *address, Elf64_Ehdr *header) {
    *address = load_bias;
    if (load_bias != 0 && read_header(load_bias, header))
        return true;
    uint64_t at = dynamic & ~(uint64_t)(PAGE - 1);
    for (uint32_t i = 0; i < SEARCH_PAGES && at > PAGE; i++, at -= PAGE) {
        *address = at;
        if (read_header(at, header))
            return true;
    }
    return false;
}

/* Where the content of a note lies, and how long it is; 0: there is none. */
static uint64_t find_note(uint64_t at, uint64_t bytes, const char name[4], uint32_t type, uint32_t *content_bytes) {
    uint64_t end = at + bytes;
    if (end < at)
        return 0;
    for (int i = 0; i < NOTES_MAX && end - at >= sizeof(Elf64_Nhdr); i++) {
        Elf64_Nhdr note;
        char found[4];
        if (!vaka_async_read(at, &note, sizeof(note)))
            return 0;
        uint64_t name_at = at + sizeof(note);
        uint64_t content_at = name_at + (((uint64_t)note.n_namesz + 3) & ~(uint64_t)3);
        uint64_t next = content_at + (((uint64_t)note.n_descsz + 3) & ~(uint64_t)3);
        if (next > end)
            return 0;
        if (note.n_type == type && note.n_namesz == sizeof(found) && vaka_async_read(name_at, found, sizeof(found)) &&
            memcmp(found, name, sizeof(found)) == 0) {
            *content_bytes = note.n_descsz;
            return content_at;
        }
        at = next;
    }
    return 0;
}

static void read_notes(uint64_t at, uint64_t bytes, struct vaka_known_image *image) {
    uint32_t length = 0;
    uint64_t content_at = find_note(at, bytes, "GNU", NT_GNU_BUILD_ID, &length);
    if (length > VAKA_BUILD_ID_MAX)
        length = VAKA_BUILD_ID_MAX;
    if (content_at == 0 || !vaka_async_read(content_at, image->head.build_id, length))
        return;
    image->head.build_id_bytes = (uint8_t)length;
    image->build_id_address = content_at;
}

bool vaka_async_image_has_note(const struct vaka_known_image *image, const char name[4], uint32_t type) {
    Elf64_Ehdr header;
    if (!read_header(image->head.image_address, &header))
        return false;
    for (uint32_t i = 0; i < header.e_phnum && i < HEADERS_MAX; i++) {
        Elf64_Phdr segment;
        uint32_t bytes;
        if (!vaka_async_read(image->head.image_address + header.e_phoff + i * sizeof(segment), &segment,
                             sizeof(segment)))
            return false;
        if (segment.p_type == PT_NOTE &&
            find_note(image->head.load_bias + segment.p_vaddr, segment.p_memsz, name, type, &bytes) != 0)
            return true;
    }
    return false;
}

static void take_segment(const Elf64_Phdr *segment, struct vaka_known_image *image) {
    uint64_t start = image->head.load_bias + segment->p_vaddr;
    if (segment->p_type == PT_GNU_EH_FRAME) {
        image->frames_header = start;
        image->frames_header_bytes = segment->p_memsz;
    }
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0)
        return;
    if (image->code_end == 0 || start < image->code_start)
        image->code_start = start;
    if (start + segment->p_memsz > image->code_end)
        image->code_end = start + segment->p_memsz;
}

bool vaka_async_read_image(uint64_t load_bias, uint64_t dynamic_address, struct vaka_known_image *image) {
    Elf64_Ehdr header;
    uint64_t address;
    if (!find_header(load_bias, dynamic_address, &address, &header))
        return false;
    memset(image, 0, sizeof(*image));
    image->head.image_address = address;
    image->head.load_bias = load_bias;
    image->dynamic_address = dynamic_address;
    uint64_t end = 0;
    for (uint32_t i = 0; i < header.e_phnum && i < HEADERS_MAX; i++) {
        Elf64_Phdr segment;
        if (!vaka_async_read(address + header.e_phoff + i * sizeof(segment), &segment, sizeof(segment)))
            return false;
        if (segment.p_type == PT_LOAD && segment.p_vaddr + segment.p_memsz > end) {
            end = segment.p_vaddr + segment.p_memsz;
        }
        take_segment(&segment, image);
        if (segment.p_type == PT_NOTE && image->head.build_id_bytes == 0) {
            read_notes(load_bias + segment.p_vaddr, segment.p_memsz, image);
        }
    }
    uint64_t linked_start = address - load_bias;
    if (end <= linked_start)
        return false;
    image->head.image_bytes = end - linked_start;
    return true;
}
