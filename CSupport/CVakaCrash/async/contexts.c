/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Swift's async contexts. A task that waits keeps no stack: its awaiting callers are a chain of contexts on the heap,
 * each of which begins with the caller's context and the function that resumes the caller. The crashed function's own
 * is in the context register, beside its frame pointer, or saved on the stack by what it called. Only what an unwinder
 * needs is kept of each.
 */
#include "capture.h"
#include "reader.h"
#include "walk.h"
#include "writer.h"

/* Of all chains together. */
#define CONTEXTS_MAX 64
/* How much of the stack is looked through. */
#define STACK_WORDS 256

#if defined(__x86_64__)
#define CONTEXT_REGISTER 14
#else
#define CONTEXT_REGISTER 22
#endif

struct async_context {
    uint64_t parent;
    uint64_t resume;
};

/* Of each frame of the thread whose part of the record is written, where they are known; 0 where not. */
static struct {
    uint64_t frame_pointer;
    uint64_t context_register;
} noted[VAKA_FRAMES_MAX];
static uint32_t noted_count;

static struct {
    uint64_t address;
    struct async_context context;
} kept[CONTEXTS_MAX];
static uint32_t kept_count;
static int kept_tid;

static bool is_kept(uint64_t address) {
    for (uint32_t i = 0; i < kept_count; i++) {
        if (kept[i].address == address)
            return true;
    }
    return false;
}

/* A text before the address of a function looks like a context. */
static struct async_context told(struct async_context context) {
    struct async_context parent;
    bool is_text = context.parent != 0 && !vaka_async_read(context.parent, &parent, sizeof(parent));
    if (vaka_async_state.crash.keeps_pointers_only && is_text)
        context.parent = VAKA_LEFT_OUT;
    return context;
}

/* A saved frame pointer and the return address above it look like a context, but contexts lie on no thread's stack. */
static bool is_on_stack(uint64_t address) {
    const struct vaka_crash *crash = &vaka_async_state.crash;
    uint64_t end = crash->frame_count == 0 ? 0 : crash->frames[crash->frame_count - 1].stack_pointer;
    return address >= crash->sp && address < end;
}

static bool read_context(uint64_t address, struct async_context *context) {
    return address != 0 && address % sizeof(uint64_t) == 0 && !is_on_stack(address) &&
           vaka_async_image_at(address) == NULL && vaka_async_read(address, context, sizeof(*context)) &&
           context->parent % sizeof(uint64_t) == 0 && vaka_async_is_code(context->resume);
}

static void keep_chain(uint64_t address) {
    struct async_context context;
    while (kept_count < CONTEXTS_MAX && !is_kept(address) && read_context(address, &context)) {
        kept[kept_count].address = address;
        kept[kept_count++].context = context;
        address = context.parent;
    }
}

void vaka_async_note_context(uint32_t frame, const struct vaka_registers *registers) {
    if (frame >= VAKA_FRAMES_MAX)
        return;
    bool has_pointer = vaka_async_knows(registers, VAKA_CFI_FP);
    bool has_register = vaka_async_knows(registers, CONTEXT_REGISTER);
    noted[frame].frame_pointer = has_pointer ? registers->values[VAKA_CFI_FP] : 0;
    noted[frame].context_register = has_register ? registers->values[CONTEXT_REGISTER] : 0;
    noted_count = frame + 1;
}

/* However deep in plain functions the thread is: where its frames keep a context. */
static void keep_noted(void) {
    uint64_t word, last = 0;
    for (uint32_t i = 0; i < noted_count; i++) {
        if (noted[i].context_register != last)
            keep_chain(noted[i].context_register);
        last = noted[i].context_register;
        if (noted[i].frame_pointer != 0 && vaka_async_read(noted[i].frame_pointer - sizeof(word), &word, sizeof(word)))
            keep_chain(word);
    }
}

/* Only the Swift runtime makes contexts. */
static bool has_swift(void) {
    return vaka_async_state.texts.swift_message != NULL;
}

bool vaka_async_leads_to_context(uint64_t address) {
    struct async_context context;
    return has_swift() && read_context(address, &context);
}

bool vaka_async_is_context(uint64_t address) {
    return kept_tid == vaka_async_state.crash.tid && is_kept(address);
}

void vaka_async_find_contexts(void) {
    const struct vaka_crash *crash = &vaka_async_state.crash;
    kept_count = 0;
    kept_tid = crash->tid;
    if (!has_swift() || crash->register_count <= CONTEXT_REGISTER)
        return;
    keep_chain(crash->registers[CONTEXT_REGISTER]);
    for (uint32_t i = 0; i < STACK_WORDS; i++) {
        uint64_t word;
        if (!vaka_async_read(crash->sp + i * sizeof(word), &word, sizeof(word)))
            break;
        keep_chain(word);
    }
    keep_noted();
}

void vaka_async_write_contexts(void) {
    vaka_async_find_contexts();
    for (uint32_t i = 0; i < kept_count; i++) {
        struct async_context context = told(kept[i].context);
        struct vaka_memory memory = {.address = kept[i].address, .bytes = sizeof(context)};
        vaka_async_section_begin(VAKA_SECTION_MEMORY);
        vaka_async_section_append(&memory, sizeof(memory));
        vaka_async_section_append(&context, sizeof(context));
        vaka_async_section_end();
    }
}
