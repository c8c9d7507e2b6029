/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks with damaged call frame information: cfi_hostile FILE ROUNDS SEED. Each round damages the file's tables in
 * memory in one of several ways, walks a stack of addresses of its code, and mends the tables. Prints the rounds, the
 * frames, and the longest walk in microseconds of the processor.
 */
#include "mapped_file.h"

#include "async/reader.h"
#include "async/system.h"
#include "async/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STACK_WORDS 8192u
#define DAMAGED_MAX 64u

static struct mapped_file file;
static struct vaka_known_image image;
static uint64_t stack[STACK_WORDS];
static struct vaka_frame frames[VAKA_FRAMES_MAX];
static uint64_t seed;
/* .eh_frame_hdr and .eh_frame, which linkers lay before or behind it, and both as they were. */
static struct area {
    uint8_t *bytes, *original;
    size_t count;
} header, frames_area;

/* splitmix64. */
static uint64_t random_number(void) {
    uint64_t x = seed += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t some_code(void) {
    return file.code + random_number() % (file.code_end - file.code);
}

static void damage_bytes(uint8_t *from, size_t count) {
    static const uint8_t telling[] = {0x00, 0x01, 0x7f, 0x80, 0xff, 0x0a, 0x0b, 0x0f, 0x2f, 0x28};
    for (uint64_t i = random_number() % DAMAGED_MAX; i > 0; i--) {
        uint64_t number = random_number();
        from[number % count] = number >> 63 != 0 ? (uint8_t)(number >> 40) : telling[(number >> 40) % 10];
    }
}

/* The table in the header leads to entries; without it they are gone through one by one. */
static void damage(void) {
    image.frames_header = file.source.header;
    image.frames_header_bytes = header.count;
    image.frames_start = 0;
    switch (random_number() % 8) {
    case 0:
        damage_bytes(header.bytes, 16);
        break;
    case 1:
        header.bytes[3] = 0xff;
        damage_bytes(frames_area.bytes, frames_area.count);
        break;
    case 2:
        image.frames_header_bytes = random_number() % (header.count + 1);
        break;
    case 3: /* every expression and program is noise */
        for (size_t i = 0; i < frames_area.count; i++)
            frames_area.bytes[i] = (uint8_t)random_number();
        break;
    case 4: /* advances only: long programs */
        memset(frames_area.bytes + 64, 0x41, frames_area.count - 64);
        break;
    case 5: /* as a static program */
        image.frames_header = 0;
        image.frames_start = (uint64_t)(uintptr_t)frames_area.bytes;
        image.frames_end = image.frames_start + frames_area.count;
        damage_bytes(frames_area.bytes, frames_area.count);
        break;
    default:
        for (int i = 0; i < 8; i++)
            damage_bytes(frames_area.bytes, frames_area.count);
        break;
    }
}

static void fill_stack(void) {
    for (uint32_t i = 0; i < STACK_WORDS; i++)
        stack[i] = random_number() % 4 == 0 ? (uint64_t)(uintptr_t)&stack[random_number() % STACK_WORDS] : some_code();
}

static double processor_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static uint32_t walk(void) {
    uint64_t registers[VAKA_CFI_REGISTERS + 1];
    uint32_t flags;
    for (uint32_t i = 0; i < VAKA_CFI_REGISTERS + 1; i++)
        registers[i] = (uint64_t)(uintptr_t)&stack[random_number() % STACK_WORDS];
    registers[VAKA_CFI_SP] = (uint64_t)(uintptr_t)&stack[random_number() % 64];
    registers[VAKA_CFI_PC] = some_code();
    vaka_async_reader_begin(vaka_async_getpid(), false);
    vaka_async_cfi_begin();
    return vaka_async_walk(registers, VAKA_CFI_REGISTERS + 1, frames, VAKA_FRAMES_MAX, &flags);
}

static struct area area_of(uint64_t start, uint64_t end) {
    struct area area = {.bytes = (uint8_t *)start, .count = (size_t)(end - start)};
    area.original = malloc(area.count);
    if (area.original == NULL)
        err(2, "malloc");
    memcpy(area.original, area.bytes, area.count);
    return area;
}

static void open_image(const char *path) {
    file = map_file(path, PROT_READ | PROT_WRITE);
    image.head.image_address = file.bias;
    image.head.image_bytes = file.bytes;
    image.code_start = file.code;
    image.code_end = file.code_end;
    vaka_async_state.images.images = &image;
    vaka_async_state.images.count = 1;
    header = area_of(file.source.header, file.source.header + file.source.header_bytes);
    /* In the header: a distance of 4 bytes from its own place, which every linker writes. */
    int32_t distance;
    memcpy(&distance, header.bytes + 4, sizeof(distance));
    uint64_t frames_start = file.source.header + 4 + (uint64_t)(int64_t)distance;
    frames_area = area_of(frames_start, frames_start < file.source.header ? file.source.header : file.tables_end);
}

static void mend(struct area *area) {
    memcpy(area->bytes, area->original, area->count);
}

int main(int count, char **arguments) {
    if (count != 4)
        errx(2, "usage: cfi_hostile FILE ROUNDS SEED");
    int rounds = atoi(arguments[2]);
    seed = strtoul(arguments[3], NULL, 10);
    open_image(arguments[1]);
    vaka_async_reader_prepare(200);
    unsigned long found = 0;
    double longest = 0;
    for (int i = 0; i < rounds; i++) {
        damage();
        fill_stack();
        double start = processor_us();
        found += walk();
        double spent = processor_us() - start;
        if (spent > longest)
            longest = spent;
        mend(&header);
        mend(&frames_area);
    }
    printf("%d %lu %.0f\n", rounds, found, longest);
    return 0;
}
