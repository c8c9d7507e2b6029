/* SPDX-License-Identifier: Apache-2.0 */
/* The images at install, while the dynamic linker's lock may still be taken. */
#include "internal.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

struct extent {
    uint64_t start, end; /* as linked */
    const ElfW(Phdr) * dynamic;
};

static struct extent extent_of(const struct dl_phdr_info *info) {
    struct extent extent = {UINT64_MAX, 0, NULL};
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_DYNAMIC)
            extent.dynamic = segment;
        if (segment->p_type != PT_LOAD)
            continue;
        uint64_t start = segment->p_vaddr & ~(page - 1);
        if (start < extent.start)
            extent.start = start;
        if (segment->p_vaddr + segment->p_memsz > extent.end)
            extent.end = segment->p_vaddr + segment->p_memsz;
    }
    return extent;
}

/* Where the code and its call frame information lie. */
static void take_code(const struct dl_phdr_info *info, struct vaka_known_image *image) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uint64_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_GNU_EH_FRAME) {
            image->frames_header = start;
            image->frames_header_bytes = segment->p_memsz;
        }
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0)
            continue;
        if (image->code_end == 0 || start < image->code_start)
            image->code_start = start;
        if (start + segment->p_memsz > image->code_end)
            image->code_end = start + segment->p_memsz;
    }
}

static bool is_loaded(const struct dl_phdr_info *info, const ElfW(Phdr) * part) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && part->p_vaddr >= segment->p_vaddr &&
            part->p_vaddr + part->p_memsz <= segment->p_vaddr + segment->p_filesz) {
            return true;
        }
    }
    return false;
}

static void take_build_id(const uint8_t *at, size_t bytes, struct vaka_known_image *image) {
    while (bytes >= sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const void *)at;
        size_t name = ((size_t)note->n_namesz + 3) & ~(size_t)3;
        size_t content = ((size_t)note->n_descsz + 3) & ~(size_t)3;
        size_t whole = sizeof(*note) + name + content;
        if (whole > bytes)
            return;
        const uint8_t *id = at + sizeof(*note) + name;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(note + 1, "GNU", 4) == 0) {
            size_t length = note->n_descsz < VAKA_BUILD_ID_MAX ? note->n_descsz : VAKA_BUILD_ID_MAX;
            memcpy(image->head.build_id, id, length);
            image->head.build_id_bytes = (uint8_t)length;
            image->build_id_address = (uint64_t)(uintptr_t)id;
            return;
        }
        at += whole;
        bytes -= whole;
    }
}

static void find_build_id(const struct dl_phdr_info *info, struct vaka_known_image *image) {
    for (int i = 0; i < info->dlpi_phnum && image->head.build_id_bytes == 0; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_NOTE || !is_loaded(info, segment))
            continue;
        take_build_id((const uint8_t *)(uintptr_t)(info->dlpi_addr + segment->p_vaddr), segment->p_memsz, image);
    }
}

/* The kernel appends this to the name of a file that was removed or replaced. */
static size_t without_deleted(const char *path, size_t length) {
    static const char suffix[] = " (deleted)";
    size_t bytes = sizeof(suffix) - 1;
    return length > bytes && memcmp(path + length - bytes, suffix, bytes) == 0 ? length - bytes : length;
}

static size_t path_of(const struct dl_phdr_info *info, bool is_executable, char out[VAKA_PATH_BYTES]) {
    if (is_executable) {
        ssize_t length = readlink("/proc/self/exe", out, VAKA_PATH_BYTES);
        if (length > 0)
            return without_deleted(out, (size_t)length);
    }
    const char *name = info->dlpi_name == NULL ? "" : info->dlpi_name;
    /* Without /proc there still is the path given to execve. */
    const char *given = (const char *)(uintptr_t)getauxval(AT_EXECFN);
    if (is_executable && given != NULL)
        name = given;
    char resolved[PATH_MAX];
    if (strchr(name, '/') != NULL && name[0] != '/' && realpath(name, resolved) != NULL)
        name = resolved;
    size_t length = strnlen(name, VAKA_PATH_BYTES);
    memcpy(out, name, length);
    return length;
}

static void keep_path(struct vaka_known_image *image, const char *path, size_t length) {
    struct vaka_image_table *table = &vaka_async_state.images;
    size_t room = VAKA_IMAGE_PATHS_BYTES - table->paths_used;
    if (length > room)
        length = room;
    memcpy(table->paths + table->paths_used, path, length);
    image->path_offset = table->paths_used;
    image->head.path_bytes = (uint16_t)length;
    table->paths_used += (uint32_t)length;
}

/* The program's dynamic section tells where the dynamic linker keeps its list for debuggers. */
static void find_debug(const struct dl_phdr_info *info, const ElfW(Phdr) * dynamic) {
    if (dynamic == NULL)
        return;
    const ElfW(Dyn) *entry = (const void *)(uintptr_t)(info->dlpi_addr + dynamic->p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_DEBUG)
            vaka_async_state.images.debug_address = entry->d_un.d_ptr;
    }
}

static int take_image(struct dl_phdr_info *info, size_t size, void *context) {
    struct vaka_image_table *table = &vaka_async_state.images;
    struct extent extent = extent_of(info);
    (void)size;
    bool is_executable = *(int *)context == 0;
    ++*(int *)context;
    if (is_executable)
        find_debug(info, extent.dynamic);
    if (extent.end == 0)
        return 0;
    if (table->count == table->capacity) {
        table->left_out++;
        return 0;
    }
    struct vaka_known_image *image = &table->images[table->count++];
    image->head.image_address = info->dlpi_addr + extent.start;
    image->head.image_bytes = extent.end - extent.start;
    image->head.load_bias = info->dlpi_addr;
    if (extent.dynamic != NULL)
        image->dynamic_address = info->dlpi_addr + extent.dynamic->p_vaddr;
    if (is_executable)
        image->head.flags |= VAKA_IMAGE_EXECUTABLE;
    if (image->head.image_address == getauxval(AT_SYSINFO_EHDR))
        image->head.flags |= VAKA_IMAGE_VDSO;
    find_build_id(info, image);
    take_code(info, image);
    char path[VAKA_PATH_BYTES];
    size_t length = path_of(info, is_executable, path);
    keep_path(image, path, length);
    if (image->frames_header == 0 && length < sizeof(path)) {
        path[length] = 0;
        vaka_find_frames_section(path, image);
    }
    return 0;
}

static void *map(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void vaka_images_collect(void) {
    struct vaka_image_table *table = &vaka_async_state.images;
    table->images = map(VAKA_IMAGES_MAX * sizeof(*table->images));
    table->paths = map(VAKA_IMAGE_PATHS_BYTES);
    table->capacity = table->images != NULL && table->paths != NULL ? VAKA_IMAGES_MAX : 0;
    int seen = 0;
    dl_iterate_phdr(take_image, &seen);
}

void vaka_images_free(void) {
    struct vaka_image_table *table = &vaka_async_state.images;
    if (table->images != NULL)
        munmap(table->images, VAKA_IMAGES_MAX * sizeof(*table->images));
    if (table->paths != NULL)
        munmap(table->paths, VAKA_IMAGE_PATHS_BYTES);
    memset(table, 0, sizeof(*table));
}
