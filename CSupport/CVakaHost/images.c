/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "vaka_host.h"

#include <elf.h>
#include <link.h>
#include <string.h>

struct visit {
    int (*function)(const struct vaka_host_image *image, void *context);
    void *context;
};

static size_t aligned(size_t bytes, size_t alignment) {
    return (bytes + alignment - 1) & ~(alignment - 1);
}

/* Finds NT_GNU_BUILD_ID among the notes of one segment, which the loader has mapped. */
static void read_build_id(struct vaka_host_image *image, const uint8_t *notes, size_t bytes, size_t alignment) {
    size_t offset = 0;
    if (alignment != 8)
        alignment = 4;
    while (bytes - offset >= sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const void *)(notes + offset);
        size_t name_at = offset + sizeof(*note);
        if (note->n_namesz > bytes - name_at)
            return;
        size_t value_at = aligned(name_at + note->n_namesz, alignment);
        if (value_at > bytes || note->n_descsz > bytes - value_at)
            return;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(notes + name_at, "GNU", 4) == 0) {
            if (note->n_descsz > sizeof(image->build_id))
                return;
            memcpy(image->build_id, notes + value_at, note->n_descsz);
            image->build_id_bytes = note->n_descsz;
            return;
        }
        offset = aligned(value_at + note->n_descsz, alignment);
        if (offset > bytes)
            return;
    }
}

static int visit_object(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct visit *visit = context;
    struct vaka_host_image image = {.path = info->dlpi_name != NULL ? info->dlpi_name : "",
                                    .load_bias = info->dlpi_addr};
    uint64_t start = UINT64_MAX, end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uint64_t address = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD) {
            if (address < start)
                start = address;
            if (address + segment->p_memsz > end)
                end = address + segment->p_memsz;
        } else if (segment->p_type == PT_NOTE && image.build_id_bytes == 0) {
            read_build_id(&image, (const uint8_t *)(uintptr_t)address, segment->p_memsz, segment->p_align);
        }
    }
    if (start >= end)
        return 0;
    image.image_address = start;
    image.image_bytes = end - start;
    return visit->function(&image, visit->context);
}

void vaka_host_each_image(int (*function)(const struct vaka_host_image *image, void *context), void *context) {
    struct visit visit = {.function = function, .context = context};
    dl_iterate_phdr(visit_object, &visit);
}

static int visit_counters(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    *(uint64_t *)context = (uint64_t)info->dlpi_adds + (uint64_t)info->dlpi_subs;
    return 1;
}

uint64_t vaka_host_image_generation(void) {
    uint64_t generation = 0;
    dl_iterate_phdr(visit_counters, &generation);
    return generation;
}
