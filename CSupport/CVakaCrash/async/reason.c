/* SPDX-License-Identifier: Apache-2.0 */
#include "access.h"
#include "capture.h"
#include "pointers.h"
#include "proc.h"
#include "reader.h"
#include "writer.h"

#include <string.h>
#include <ucontext.h>

#define PAGE_FAULT_TRAP 14

#if defined(__x86_64__)

void vaka_async_take_processor_codes(const void *from, struct vaka_reason *reason) {
    const ucontext_t *context = from;
    reason->trap_number = (uint64_t)context->uc_mcontext.gregs[REG_TRAPNO];
    reason->error_code = (uint64_t)context->uc_mcontext.gregs[REG_ERR];
    bool is_memory = reason->signal == SIGSEGV || reason->signal == SIGBUS;
    if (is_memory && reason->code > 0 && reason->trap_number == PAGE_FAULT_TRAP) {
        reason->flags |= VAKA_REASON_PAGE_FAULT;
    }
}

#else

/* The kernel's ESR_MAGIC, which not every libc's headers have. */
#define ESR_RECORD 0x45535201u

/* The extra records that follow the registers: a magic and a size each, an empty one last. */
void vaka_async_take_processor_codes(const void *from, struct vaka_reason *reason) {
    const ucontext_t *context = from;
    const uint8_t *at = context->uc_mcontext.__reserved;
    const uint8_t *end = at + sizeof(context->uc_mcontext.__reserved);
    while ((size_t)(end - at) >= 16) {
        uint32_t head[2];
        memcpy(head, at, sizeof(head));
        if (head[0] == 0 || head[1] < 16 || head[1] > (size_t)(end - at))
            return;
        if (head[0] == ESR_RECORD) {
            memcpy(&reason->error_code, at + 8, sizeof(reason->error_code));
            return;
        }
        at += head[1];
    }
}

#endif

static bool has_fault_address(const siginfo_t *info) {
    switch (info->si_signo) {
    case SIGSEGV:
    case SIGBUS:
    case SIGILL:
    case SIGFPE:
    case SIGTRAP:
        /* SI_KERNEL: the processor did not say where (a non-canonical address, int3). */
        return info->si_code > 0 && info->si_code != SI_KERNEL;
    default:
        return false;
    }
}

/* While it is still there to be asked. */
static void write_sender(int pid) {
    struct vaka_sender sender = {.pid = pid};
    if (vaka_async_proc_name("/proc/", pid, sender.name))
        vaka_async_section(VAKA_SECTION_SENDER, &sender, sizeof(sender));
}

/* An address that leads nowhere may be a text that was taken for a pointer. */
static void leave_out_fault(struct vaka_reason *reason) {
    bool is_told = (reason->flags & VAKA_REASON_STACK_OVERFLOW) != 0 ||
                   vaka_async_told_address(reason->fault_address) != VAKA_LEFT_OUT;
    if ((reason->flags & VAKA_REASON_FAULT_ADDRESS) == 0 || is_told)
        return;
    reason->fault_address = 0;
    reason->flags &= ~(uint32_t)(VAKA_REASON_FAULT_ADDRESS | VAKA_REASON_COMPUTED);
    reason->flags |= VAKA_REASON_LEFT_OUT;
}

void vaka_async_write_reason(void) {
    const struct vaka_crash *crash = &vaka_async_state.crash;
    const siginfo_t *info = crash->info;
    struct vaka_reason reason = {
        .signal = crash->signal,
        .code = info->si_code,
        .error = info->si_errno,
        .pid = crash->pid,
        .tid = crash->tid,
        .crashed_realtime_ns = crash->realtime_ns,
        .crashed_boottime_ns = crash->boottime_ns,
        .reader = vaka_async_reader_kind(),
    };
    if (has_fault_address(info)) {
        reason.flags |= VAKA_REASON_FAULT_ADDRESS;
        reason.fault_address = (uint64_t)(uintptr_t)info->si_addr;
    }
    if (info->si_code == SI_USER || info->si_code == SI_QUEUE || info->si_code == SI_TKILL) {
        reason.flags |= VAKA_REASON_SENDER;
        reason.sender_pid = info->si_pid;
        reason.sender_uid = info->si_uid;
    }
    if (crash->signal == SIGSYS && info->si_code > 0)
        reason.syscall_number = (uint32_t)info->si_syscall;
    if (crash->forked_child)
        reason.flags |= VAKA_REASON_FORKED_CHILD;
    vaka_async_take_processor_codes(crash->context, &reason);
    vaka_async_explain_access(&reason);
    leave_out_fault(&reason);
    vaka_async_section(VAKA_SECTION_REASON, &reason, sizeof(reason));
    if ((reason.flags & VAKA_REASON_SENDER) != 0 && reason.sender_pid != crash->pid)
        write_sender(reason.sender_pid);
}
