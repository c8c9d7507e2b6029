/* SPDX-License-Identifier: Apache-2.0 */
/* Crashes in the handler itself and a clock that jumps, for its tests: empty unless built with -DVAKA_TEST_FAULTS. */
#include "capture.h"
#include "system.h"

#ifdef VAKA_TEST_FAULTS
uint32_t vaka_async_test_fault_stages;
/* As abort() within the handler would. */
bool vaka_async_test_fault_aborts;
/* Or does nothing, for ever. */
bool vaka_async_test_fault_hangs;
int64_t vaka_async_test_clock_jump;

void vaka_async_test_fault(int stage) {
    uint32_t bit = 1u << stage;
    if ((vaka_async_test_fault_stages & bit) == 0)
        return;
    vaka_async_test_fault_stages &= ~bit;
    while (vaka_async_test_fault_hangs)
        vaka_async_sleep(1000000000u);
    if (vaka_async_test_fault_aborts) {
        vaka_async_call(SYS_tgkill, vaka_async_getpid(), vaka_async_gettid(), SIGABRT, 0, 0, 0);
        for (;;)
            __builtin_trap();
    }
    *(volatile int *)(uintptr_t)0x1230 = stage;
}
#endif
