/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run's context: two buffers, of which the one not in use is written anew and then made the one in use. Whenever
 * the process ends, one of them is whole.
 */
#include "internal.h"

#include "async/checksum.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define KEY_MAX 256
#define ENTRIES_MAX (VAKA_CONTEXT_BUFFER_BYTES - sizeof(struct vaka_context_header))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct value {
    uint16_t scope;
    const char *key; /* NULL: every key of the scope */
    const char *text; /* NULL: to be removed */
};

void vaka_context_lock(void) {
    pthread_mutex_lock(&lock);
}

void vaka_context_unlock(void) {
    pthread_mutex_unlock(&lock);
}

static struct vaka_context_header *buffer(uint32_t index) {
    return (void *)(vaka_async_state.run + VAKA_RUN_HEADER_BYTES + index * VAKA_CONTEXT_BUFFER_BYTES);
}

static uint32_t padded(uint64_t bytes) {
    return (uint32_t)((bytes + 7) & ~(uint64_t)7);
}

static uint32_t entry_bytes(const struct vaka_context_entry *entry) {
    return padded(sizeof(*entry) + (uint64_t)entry->key_bytes + entry->value_bytes);
}

static bool is_replaced(const struct vaka_context_entry *entry, const struct value *value) {
    if (entry->scope != value->scope)
        return false;
    if (value->key == NULL)
        return true;
    return entry->key_bytes == strlen(value->key) && memcmp(entry + 1, value->key, entry->key_bytes) == 0;
}

/* Copies the entries but those replaced; returns the bytes used. */
static uint32_t copy_entries(const struct vaka_context_header *from, struct vaka_context_header *to,
                             const struct value *value) {
    const uint8_t *source = (const uint8_t *)(from + 1);
    uint8_t *target = (uint8_t *)(to + 1);
    uint32_t used = 0;
    for (uint32_t at = 0; at < from->used_bytes;) {
        const struct vaka_context_entry *entry = (const void *)(source + at);
        uint32_t bytes = entry_bytes(entry);
        if (value == NULL || !is_replaced(entry, value)) {
            memcpy(target + used, entry, bytes);
            used += bytes;
        }
        at += bytes;
    }
    return used;
}

/* 0 where it does not fit. */
static uint32_t add_entry(struct vaka_context_header *to, uint32_t used, const struct value *value) {
    size_t key = strlen(value->key);
    size_t text = strlen(value->text);
    if (text > ENTRIES_MAX)
        return 0;
    uint32_t bytes = padded(sizeof(struct vaka_context_entry) + key + text);
    if (bytes > ENTRIES_MAX - used)
        return 0;
    struct vaka_context_entry *entry = (void *)((uint8_t *)(to + 1) + used);
    memset(entry, 0, bytes);
    entry->scope = value->scope;
    entry->key_bytes = (uint16_t)key;
    entry->value_bytes = (uint32_t)text;
    memcpy(entry + 1, value->key, key);
    memcpy((uint8_t *)(entry + 1) + key, value->text, text);
    return bytes;
}

static int rewrite(const struct value *value) {
    struct vaka_run_header *run = vaka_async_run_header();
    uint32_t active = __atomic_load_n(&run->context_active, __ATOMIC_RELAXED) & 1;
    const struct vaka_context_header *from = buffer(active);
    struct vaka_context_header *to = buffer(active ^ 1);
    __atomic_store_n(&to->magic, 0, __ATOMIC_RELEASE);
    uint32_t used = copy_entries(from, to, value);
    uint32_t dropped = from->entries_dropped;
    int error = 0;
    if (value->text != NULL) {
        uint32_t added = add_entry(to, used, value);
        if (added == 0) {
            used = copy_entries(from, to, NULL);
            dropped++;
            error = ENOSPC;
        }
        used += added;
    }
    to->generation = from->generation + 1;
    to->used_bytes = used;
    to->entries_dropped = dropped;
    to->reserved = 0;
    to->entries_crc = vaka_async_crc32(0, to + 1, used);
    __atomic_store_n(&to->magic, VAKA_CONTEXT_MAGIC, __ATOMIC_RELEASE);
    __atomic_store_n(&run->context_active, active ^ 1, __ATOMIC_RELEASE);
    return error;
}

static int change(const struct value *value) {
    vaka_context_lock();
    int error = vaka_async_state.run == NULL ? ENOTCONN : rewrite(value);
    vaka_context_unlock();
    return error;
}

int vaka_context_set(uint16_t scope, const char *key, const char *text) {
    size_t length = key == NULL ? 0 : strlen(key);
    if (length == 0 || length > KEY_MAX)
        return EINVAL;
    return change(&(struct value){scope, key, text});
}

void vaka_context_set_number(uint16_t scope, const char *key, uint64_t value) {
    char text[32];
    snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
    vaka_context_set(scope, key, text);
}

static bool is_public(vaka_crash_scope scope) {
    return (scope >= VAKA_CRASH_RELEASE && scope <= VAKA_CRASH_SDK) || scope == VAKA_CRASH_ATTACHMENT;
}

int vaka_crash_set_context(vaka_crash_scope scope, const char *key, const char *value) {
    if (!is_public(scope))
        return EINVAL;
    if (!vaka_async_is_installed())
        return ENOTCONN;
    vaka_figures_note();
    return vaka_context_set((uint16_t)scope, key, value);
}

int vaka_crash_clear_context(vaka_crash_scope scope) {
    if (!is_public(scope))
        return EINVAL;
    if (!vaka_async_is_installed())
        return ENOTCONN;
    return change(&(struct value){(uint16_t)scope, NULL, NULL});
}

int vaka_crash_set_tag(const char *key, const char *value) {
    return vaka_crash_set_context(VAKA_CRASH_TAG, key, value);
}

int vaka_crash_set_user(const char *id) {
    return vaka_crash_set_context(VAKA_CRASH_USER, "id", id);
}
