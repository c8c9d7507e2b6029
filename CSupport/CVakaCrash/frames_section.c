/* SPDX-License-Identifier: Apache-2.0 */
/* Most static programs have no .eh_frame_hdr: where their .eh_frame lies, only the file tells. */
#include "internal.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define SECTIONS_MAX 1024

static bool read_at(int fd, void *out, size_t bytes, uint64_t offset) {
    return pread(fd, out, bytes, (off_t)offset) == (ssize_t)bytes;
}

static bool is_frames(int fd, const Elf64_Shdr *names, const Elf64_Shdr *section) {
    static const char wanted[] = ".eh_frame";
    char name[sizeof(wanted)];
    return (section->sh_flags & SHF_ALLOC) != 0 && section->sh_type != SHT_NOBITS &&
           read_at(fd, name, sizeof(name), names->sh_offset + section->sh_name) &&
           memcmp(name, wanted, sizeof(wanted)) == 0;
}

static void find(int fd, struct vaka_known_image *image) {
    Elf64_Ehdr header;
    Elf64_Shdr names, section;
    if (!read_at(fd, &header, sizeof(header), 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_shentsize != sizeof(section) ||
        !read_at(fd, &names, sizeof(names), header.e_shoff + header.e_shstrndx * sizeof(names)))
        return;
    for (uint32_t i = 1; i < header.e_shnum && i < SECTIONS_MAX; i++) {
        if (!read_at(fd, &section, sizeof(section), header.e_shoff + i * sizeof(section)))
            return;
        if (!is_frames(fd, &names, &section))
            continue;
        image->frames_start = image->head.load_bias + section.sh_addr;
        image->frames_end = image->frames_start + section.sh_size;
        return;
    }
}

void vaka_find_frames_section(const char *path, struct vaka_known_image *image) {
    int fd = path[0] == '/' ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd < 0)
        return;
    find(fd, image);
    close(fd);
}
