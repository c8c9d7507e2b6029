/* SPDX-License-Identifier: Apache-2.0 */
#include "repair.h"
#include "access.h"
#include "checksum.h"
#include "ending.h"
#include "system.h"

#include <ucontext.h>

#define PAGE 4096u
/* Makes pages present as an access would, or says that it could not: nothing in them changes. Since Linux 5.14. */
#define POPULATE_READ 22
#define POPULATE_WRITE 23

struct vaka_place vaka_async_place_of(const void *context) {
    const mcontext_t *machine = &((const ucontext_t *)context)->uc_mcontext;
    struct vaka_place place;
#if defined(__x86_64__)
    place.pc = (uint64_t)machine->gregs[REG_RIP];
    place.registers = vaka_async_crc32(0, machine->gregs, (REG_EFL + 1) * sizeof(machine->gregs[0]));
#else
    place.pc = machine->pc;
    place.registers = vaka_async_crc32(0, machine->regs, sizeof(machine->regs));
    place.registers = vaka_async_crc32(place.registers, &machine->sp, sizeof(machine->sp));
#endif
    return place;
}

/* Not where the code itself is missing or must not run: that it is readable says nothing. */
static bool is_memory_there(int signal, const siginfo_t *info, const void *context, uint64_t pc) {
    uint64_t address = (uint64_t)(uintptr_t)info->si_addr;
    bool is_memory = (signal == SIGSEGV || signal == SIGBUS) && info->si_code != SI_KERNEL;
    if (!is_memory || address == pc)
        return false;
    int advice = vaka_async_wrote(signal, info, context) ? POPULATE_WRITE : POPULATE_READ;
    long page = (long)(address & ~(uint64_t)(PAGE - 1));
    return vaka_async_call(SYS_madvise, page, PAGE, advice, 0, 0, 0) == 0;
}

bool vaka_async_is_repaired(int signal, const siginfo_t *info, const void *context, struct vaka_place before) {
    if (!vaka_async_faults_again(signal, info))
        return true;
    struct vaka_place now = vaka_async_place_of(context);
    if (now.pc != before.pc || now.registers != before.registers)
        return true;
    return is_memory_there(signal, info, context, now.pc);
}
