/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lookups in process, ours and the peer's in turn:
 *
 *   lookups LIBRARY speed NAME CACHE OBJECT ADDRESSES   "name value unit" lines of both, and the ratio
 *   lookups LIBRARY build OBJECT OUTPUT                 the peer's cache of OBJECT, for whoever times this process
 *
 * LIBRARY is the shared library of the Python package "symbolic", called through its C ABI. A lookup gives function,
 * file, line and (ours) column at every level; both sides add up lines and the first bytes of names and paths.
 */
#define _GNU_SOURCE
#include "vaka_symbol_cache.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 7
#define MOST_ADDRESSES 1000000

struct text {
    char *data;
    uintptr_t size;
    bool owned;
};

struct location {
    uint64_t symbol_address;
    uint64_t address;
    uint32_t line;
    struct text language;
    struct text symbol;
    struct text path;
};

struct result {
    struct location *items;
    uintptr_t count;
};

struct peer {
    void *(*archive_open)(const char *path);
    void *(*archive_object)(void *archive, uintptr_t index);
    void *(*from_object)(void *object);
    const uint8_t *(*bytes)(void *cache);
    uintptr_t (*size)(void *cache);
    struct result (*lookup)(void *cache, uint64_t address);
    void (*free_result)(struct result *result);
};

static uint64_t addresses[MOST_ADDRESSES];
static size_t address_count;

static void die(const char *what) {
    fprintf(stderr, "lookups: %s\n", what);
    exit(1);
}

static void *function(void *library, const char *name) {
    void *found = dlsym(library, name);
    if (found == NULL) {
        die(name);
    }
    return found;
}

static struct peer load(const char *path) {
    void *library = dlopen(path, RTLD_NOW);
    if (library == NULL) {
        die(dlerror());
    }
    void (*init)(void) = function(library, "symbolic_init");
    init();
    return (struct peer){
        .archive_open = function(library, "symbolic_archive_open"),
        .archive_object = function(library, "symbolic_archive_get_object"),
        .from_object = function(library, "symbolic_symcache_from_object"),
        .bytes = function(library, "symbolic_symcache_get_bytes"),
        .size = function(library, "symbolic_symcache_get_size"),
        .lookup = function(library, "symbolic_symcache_lookup"),
        .free_result = function(library, "symbolic_lookup_result_free"),
    };
}

static void *peer_cache(const struct peer *peer, const char *object) {
    void *archive = peer->archive_open(object);
    void *first = archive == NULL ? NULL : peer->archive_object(archive, 0);
    void *cache = first == NULL ? NULL : peer->from_object(first);
    if (cache == NULL) {
        die("the peer cannot read the object");
    }
    return cache;
}

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void read_addresses(const char *path) {
    FILE *file = fopen(path, "r");
    char line[64];
    if (file == NULL) {
        die("no addresses");
    }
    while (address_count < MOST_ADDRESSES && fgets(line, sizeof line, file) != NULL) {
        addresses[address_count++] = strtoull(line, NULL, 16);
    }
    fclose(file);
}

/* The peer counts from where the object is loaded. */
static uint64_t load_address(const char *object) {
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    int file = open(object, O_RDONLY);
    uint64_t lowest = UINT64_MAX;
    if (file < 0 || pread(file, &header, sizeof header, 0) != sizeof header) {
        die("no object");
    }
    for (unsigned index = 0; index < header.e_phnum; index++) {
        off_t at = (off_t)(header.e_phoff + index * sizeof segment);
        if (pread(file, &segment, sizeof segment, at) == sizeof segment && segment.p_type == PT_LOAD &&
            segment.p_vaddr < lowest) {
            lowest = segment.p_vaddr;
        }
    }
    close(file);
    return lowest == UINT64_MAX ? 0 : lowest;
}

static uint64_t ours(const struct vaka_symbol_cache *cache, bool nearest, uint64_t *levels) {
    static struct vaka_cache_frame frames[VAKA_MOST_LEVELS];
    uint64_t sum = 0;
    for (size_t index = 0; index < address_count; index++) {
        size_t count = vaka_symbol_cache_lookup(cache, addresses[index], nearest, frames, VAKA_MOST_LEVELS);
        *levels += count;
        for (size_t level = 0; level < count; level++) {
            const struct vaka_cache_frame *frame = &frames[level];
            sum += frame->line + frame->column + frame->name.size + frame->file.size + frame->folder.size;
            sum += frame->name.size > 0 ? (uint64_t)frame->name.start[0] : 0;
            sum += frame->file.size > 0 ? (uint64_t)frame->file.start[0] : 0;
            sum += frame->folder.size > 0 ? (uint64_t)frame->folder.start[0] : 0;
        }
    }
    return sum;
}

static uint64_t theirs(const struct peer *peer, void *cache, uint64_t base, uint64_t *levels) {
    uint64_t sum = 0;
    for (size_t index = 0; index < address_count; index++) {
        struct result result = peer->lookup(cache, addresses[index] - base);
        *levels += result.count;
        for (size_t level = 0; level < result.count; level++) {
            const struct location *frame = &result.items[level];
            sum += frame->line + frame->symbol.size + frame->path.size;
            sum += frame->symbol.size > 0 ? (uint64_t)frame->symbol.data[0] : 0;
            sum += frame->path.size > 0 ? (uint64_t)frame->path.data[0] : 0;
        }
        peer->free_result(&result);
    }
    return sum;
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left;
    double b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static double median(double *values) {
    qsort(values, ROUNDS, sizeof *values, ascending);
    return values[ROUNDS / 2];
}

static const uint8_t *map(const char *path, size_t *size) {
    struct stat status;
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &status) != 0) {
        die("no cache");
    }
    *size = (size_t)status.st_size;
    const uint8_t *bytes = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (bytes == MAP_FAILED) {
        die("the cache cannot be mapped");
    }
    return bytes;
}

static void speed(const struct peer *peer, char **arguments) {
    const char *name = arguments[0];
    struct vaka_symbol_cache cache;
    size_t size;
    read_addresses(arguments[3]);
    double start = now(CLOCK_MONOTONIC);
    const uint8_t *bytes = map(arguments[1], &size);
    if (vaka_symbol_cache_open(&cache, bytes, size) != VAKA_CACHE_OPEN) {
        die("our cache does not open");
    }
    double opened = now(CLOCK_MONOTONIC) - start;
    void *other = peer_cache(peer, arguments[2]);
    uint64_t base = load_address(arguments[2]);
    double rates[3][ROUNDS];
    uint64_t levels[3] = {0};
    uint64_t sum = 0;
    /* Processor time: what others do on this machine counts less. */
    for (int round = -1; round < ROUNDS; round++) {
        for (int side = 0; side < 3; side++) {
            levels[side] = 0;
            double begin = now(CLOCK_PROCESS_CPUTIME_ID);
            sum += side == 0   ? ours(&cache, false, &levels[0])
                   : side == 1 ? ours(&cache, true, &levels[1])
                               : theirs(peer, other, base, &levels[2]);
            double spent = now(CLOCK_PROCESS_CPUTIME_ID) - begin;
            if (round >= 0) {
                rates[side][round] = (double)address_count / spent;
            }
        }
    }
    double mine = median(rates[0]);
    double nearest = median(rates[1]);
    double peers = median(rates[2]);
    printf("lookup_open_%s_vaka %.3f ms\n", name, opened * 1e3);
    printf("lookup_%s_vaka %.0f per_second\n", name, mine);
    printf("lookup_%s_vaka_nearest_lines %.0f per_second\n", name, nearest);
    printf("lookup_%s_symbolic %.0f per_second\n", name, peers);
    printf("lookup_%s_vaka_to_symbolic %.1f ratio\n", name, mine / peers);
    printf("lookup_%s_levels_vaka %.2f levels\n", name, (double)levels[0] / (double)address_count);
    printf("lookup_%s_levels_symbolic %.2f levels\n", name, (double)levels[2] / (double)address_count);
    if (sum == 0) {
        die("nothing was found");
    }
}

int main(int count, char **arguments) {
    if (count < 3) {
        die("usage: lookups LIBRARY speed|build …");
    }
    struct peer peer = load(arguments[1]);
    if (strcmp(arguments[2], "speed") == 0 && count == 7) {
        speed(&peer, arguments + 3);
    } else if (strcmp(arguments[2], "build") == 0 && count == 5) {
        void *cache = peer_cache(&peer, arguments[3]);
        FILE *output = fopen(arguments[4], "w");
        if (output == NULL || fwrite(peer.bytes(cache), 1, peer.size(cache), output) != peer.size(cache) ||
            fclose(output) != 0) {
            die("the output cannot be written");
        }
    } else {
        die("usage: lookups LIBRARY speed NAME CACHE OBJECT ADDRESSES | build OBJECT OUTPUT");
    }
    return 0;
}
