/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a capture. Each writes whole sections, or fills in state.crash for those after it. */
#ifndef VAKA_ASYNC_CAPTURE_H
#define VAKA_ASYNC_CAPTURE_H

#include "state.h"
#include "writer.h"

#pragma GCC visibility push(hidden)

/* Writes the record, from one stage on to the end, and keeps it in crashes/. */
void vaka_async_capture_from(int stage);

/* The stage that comes next; VAKA_STAGE_ENDING after the last. */
int vaka_async_stage_after(int stage);

/* Takes the crash's registers out of the signal's context. */
void vaka_async_take_registers(void);
/* Of any signal's context, in DWARF order. */
void vaka_async_registers_of(const void *context, uint64_t registers[VAKA_REGISTERS_ARM64]);
/* Where no more than these two are known; the others are zeros. */
void vaka_async_registers_known(uint64_t pc, uint64_t sp, uint64_t registers[VAKA_REGISTERS_ARM64]);
/* Sets pc, sp, fp and lr of state.crash from its registers. */
void vaka_async_use_registers(void);

void vaka_async_write_reason(void);
void vaka_async_write_run(void);
void vaka_async_write_context(void);
void vaka_async_write_thread(void);
void vaka_async_write_frames(void);
void vaka_async_write_texts(void);
void vaka_async_write_stack(void);
/* How far above a stack pointer in no memory (an overflow) the stack is looked for. */
#define VAKA_STACK_SEARCH_PAGES 64u
/* At most `bytes` from the stack pointer on; false where none are readable. */
bool vaka_async_write_stack_slice(size_t bytes);
void vaka_async_write_images(void);
void vaka_async_write_breadcrumbs(void);
void vaka_async_write_exchanges(void);
void vaka_async_write_memory(void);
void vaka_async_write_register_memory(void);
void vaka_async_write_vdso(void);
/* A section of memory, `bytes` of which are readable. */
void vaka_async_write_region(uint16_t kind, uint64_t address, size_t bytes, int tid);
void vaka_async_write_contexts(void);
/* Finds them, of the thread whose part of the record is written, for vaka_async_is_context(). */
void vaka_async_find_contexts(void);
/* Whether one was found at that address for that thread. */
bool vaka_async_is_context(uint64_t address);
/* Whether one is there. */
bool vaka_async_leads_to_context(uint64_t address);
void vaka_async_write_other_threads(void);
/* The parts of it that a snapshot needs apart: the threads that are collected, but for those written before; */
void vaka_async_write_stopped_threads(void);
/* and the one that a snapshot is about, as a crashed one is written. False where it is not among them. */
bool vaka_async_write_stopped_thread(int tid);

/* The header of a record with room for `capacity` bytes. */
struct vaka_record_header vaka_async_record_header(uint64_t capacity);
/* Losses and end: the record is whole. */
void vaka_async_finish_record(void);

/* Brings the table of images up to date with the dynamic linker's list; once a crash. */
void vaka_async_update_images(void);

/* Fills in an image from its ELF header in memory; false where none is there. */
bool vaka_async_read_image(uint64_t load_bias, uint64_t dynamic_address, struct vaka_known_image *image);

/* Whether an image has a note; `name` with its NUL, padded to four bytes. */
bool vaka_async_image_has_note(const struct vaka_known_image *image, const char name[4], uint32_t type);

/* The image that holds an address, or NULL. */
const struct vaka_known_image *vaka_async_image_at(uint64_t address);
/* Whether an address lies in an image's executable segments. */
bool vaka_async_is_code(uint64_t address);

/* Opens the record's file: the allocated one or, for a forked child or an ended run, a new one. fd -1 if none can be. */
void vaka_async_open_record(struct vaka_record_file *file);

/* Allocates more of the record's file, so that `bytes` more fit, as far as there is room. */
void vaka_async_extend_record(uint64_t bytes);

/* Cuts the file to `bytes`, makes it durable and moves it to crashes/. */
void vaka_async_keep_record(struct vaka_record_file *file, uint64_t bytes);

/* Takes it back, empty again, as if nothing had been recorded. */
void vaka_async_withdraw_record(struct vaka_record_file *file);
/* The same of the crash that was recorded last: it was none, and the run goes on. */
void vaka_async_capture_withdraw(void);

/* Writes 32 lowercase hexadecimal digits and a NUL. */
void vaka_async_hex(const uint8_t id[16], char out[33]);

#ifdef VAKA_TEST_FAULTS
/* Crashes in the stages that the environment's VAKA_TEST_FAULT_STAGES named at install (bits). */
extern uint32_t vaka_async_test_fault_stages;
extern bool vaka_async_test_fault_aborts;
extern bool vaka_async_test_fault_hangs;
void vaka_async_test_fault(int stage);
#endif

#pragma GCC visibility pop
#endif
