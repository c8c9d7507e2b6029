/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

#include "async/leave.h"

#include <stdlib.h>
#include <unistd.h>

extern void *dlsym(void *handle, const char *name) __attribute__((weak));
/* At _exit it may have something to report. */
extern void __tsan_init(void) __attribute__((weak));
extern void __asan_init(void) __attribute__((weak));

void vaka_leave_prepare(void) {
    static bool is_prepared;
    if (is_prepared)
        return;
    is_prepared = at_quick_exit(vaka_async_end_run) == 0;
    if (dlsym == NULL || (__tsan_init == NULL && __asan_init == NULL))
        return;
    void (*next)(int) = (void (*)(int))(uintptr_t)dlsym((void *)-1L /* RTLD_NEXT */, "_exit");
    if (next != _exit)
        vaka_async_next_exit = next;
}
