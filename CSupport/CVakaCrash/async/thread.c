/* SPDX-License-Identifier: Apache-2.0 */
#include "capture.h"
#include "pointers.h"
#include "system.h"
#include "writer.h"

#include <string.h>
#include <sys/prctl.h>

void vaka_async_write_thread(void) {
    struct vaka_crash *crash = &vaka_async_state.crash;
    struct vaka_thread thread = {
        .tid = crash->tid,
        .flags = VAKA_THREAD_CRASHED | VAKA_THREAD_REGISTERS | vaka_async_pointers_flag(),
        .register_count = crash->register_count,
    };
    if (vaka_async_call(SYS_prctl, PR_GET_NAME, (long)thread.name, 0, 0, 0, 0) == 0) {
        thread.flags |= VAKA_THREAD_NAME;
    }
    vaka_async_section_begin(VAKA_SECTION_THREAD);
    vaka_async_section_append(&thread, sizeof(thread));
    vaka_async_append_registers();
    vaka_async_section_end();
}
