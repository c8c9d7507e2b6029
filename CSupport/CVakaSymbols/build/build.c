/* SPDX-License-Identifier: Apache-2.0 */
#include "merge.h"

#include <pthread.h>
#include <stdatomic.h>

#define MOST_THREADS 64

/* The reading of all units, shared by its threads. */
struct reading {
    const struct vaka_debug *debug;
    const struct vaka_build_options *options;
    struct vaka_unit_code *units;
    uint32_t count;
    atomic_uint next;
    _Atomic uint64_t used;
    atomic_int status;
};

static void fail(struct reading *reading, enum vaka_build_status status) {
    int expected = VAKA_BUILD_DONE;
    atomic_compare_exchange_strong(&reading->status, &expected, (int)status);
}

static struct vaka_unit_builder *builder_for(const struct reading *reading) {
    const struct vaka_build_options *options = reading->options;
    struct vaka_unit_builder *builder = vaka_unit_builder_create(reading->debug);
    uint32_t start;
    uint32_t end;
    if (builder != NULL && options->is_focused &&
        vaka_code_map_range(&reading->debug->code, options->start_address, options->end_address, &start, &end)) {
        vaka_unit_builder_focus(builder, start, end);
    }
    return builder;
}

static void *read_units(void *context) {
    struct reading *reading = context;
    struct vaka_unit_builder *builder = builder_for(reading);
    uint64_t limit = reading->options->memory_limit;
    while (builder != NULL && atomic_load(&reading->status) == VAKA_BUILD_DONE) {
        uint32_t index = atomic_fetch_add(&reading->next, 1);
        if (index >= reading->count) {
            break;
        }
        uint32_t unit = reading->options->units == NULL ? index : reading->options->units[index];
        if (unit >= reading->debug->code_units.count) {
            continue;
        }
        if (!vaka_unit_code_read(builder, unit, &reading->units[index])) {
            fail(reading, VAKA_BUILD_NO_MEMORY);
        }
        uint64_t size = vaka_unit_code_size(&reading->units[index]);
        if (limit != 0 && atomic_fetch_add(&reading->used, size) + size > limit) {
            fail(reading, VAKA_BUILD_TOO_LARGE);
        }
    }
    if (builder == NULL) {
        fail(reading, VAKA_BUILD_NO_MEMORY);
    }
    vaka_unit_builder_destroy(builder);
    return NULL;
}

static void read_in_parallel(struct reading *reading) {
    unsigned wanted = reading->options->threads;
    wanted = wanted > MOST_THREADS ? MOST_THREADS : wanted;
    wanted = wanted > reading->count ? reading->count : wanted;
    pthread_t threads[MOST_THREADS];
    unsigned started = 0;
    while (started + 1 < wanted && pthread_create(&threads[started], NULL, read_units, reading) == 0) {
        started++;
    }
    read_units(reading);
    for (unsigned index = 0; index < started; index++) {
        pthread_join(threads[index], NULL);
    }
}

static void release(struct vaka_merge *merge) {
    for (uint32_t index = 0; index < merge->unit_count; index++) {
        vaka_unit_code_release(&merge->units[index]);
    }
    free(merge->units);
    vaka_release(&merge->merged);
    vaka_release(&merge->stretches);
    vaka_release(&merge->functions);
    vaka_texts_deinit(&merge->texts);
    vaka_release(&merge->completed);
    vaka_release(&merge->buckets);
    vaka_release(&merge->offsets);
    vaka_release(&merge->entries);
    vaka_release(&merge->nodes);
    vaka_release(&merge->places);
    vaka_release(&merge->files);
    vaka_number_table_release(&merge->file_numbers);
    vaka_release(&merge->checksums);
    vaka_release(&merge->ambiguous);
    vaka_release(&merge->candidates);
    vaka_release(&merge->companions);
}

/* The code that the options ask for. */
static bool add_wanted(const struct vaka_merge *merge, vaka_intervals *wanted) {
    const struct vaka_build_options *options = merge->options;
    uint32_t start;
    uint32_t end;
    if (options->symbols == VAKA_SYMBOLS_BETWEEN &&
        vaka_code_map_range(&merge->debug->code, options->start_address, options->end_address, &start, &end) &&
        !vaka_interval_add(wanted, start, end, 0)) {
        return false;
    }
    for (uint32_t unit = 0; unit < merge->unit_count; unit++) {
        for (uint32_t index = 0; index < merge->units[unit].pieces.count; index++) {
            const struct vaka_piece *piece = &merge->units[unit].pieces.items[index];
            if (!vaka_interval_add(wanted, piece->start, piece->end, 0)) {
                return false;
            }
        }
    }
    return true;
}

static bool read_symbols(struct vaka_debug *debug, const struct vaka_merge *merge) {
    vaka_intervals wanted = {0};
    bool is_part = merge->options->symbols != VAKA_SYMBOLS_ALL;
    bool done = (!is_part || add_wanted(merge, &wanted)) &&
                vaka_symbols_read(&debug->symbols, &debug->code, is_part ? &wanted : NULL);
    vaka_release(&wanted);
    return done;
}

enum vaka_build_status vaka_debug_build(struct vaka_debug *debug, const struct vaka_build_options *options,
                                        uint8_t **bytes, size_t *size) {
    size_t count = options->units == NULL && options->unit_count == 0 ? debug->code_units.count : options->unit_count;
    struct vaka_unit_code *units = count > UINT32_MAX ? NULL : calloc(count + 1, sizeof *units);
    if (units == NULL) {
        return VAKA_BUILD_NO_MEMORY;
    }
    struct reading reading = {.debug = debug, .options = options, .units = units, .count = (uint32_t)count};
    read_in_parallel(&reading);
    struct vaka_merge merge = {.debug = debug, .options = options, .units = units, .unit_count = (uint32_t)count};
    enum vaka_build_status status = (enum vaka_build_status)atomic_load(&reading.status);
    if (status == VAKA_BUILD_DONE &&
        !(read_symbols(debug, &merge) && vaka_merge_units(&merge) && vaka_merge_lay_out(&merge) &&
          vaka_merge_complete(&merge) && vaka_merge_ambiguity(&merge) && vaka_merge_entries(&merge) &&
          vaka_merge_write(&merge, bytes, size))) {
        status = VAKA_BUILD_NO_MEMORY;
    }
    release(&merge);
    return status;
}
