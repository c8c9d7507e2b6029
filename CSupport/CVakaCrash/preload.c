/* SPDX-License-Identifier: Apache-2.0 */
/* In the shared library only: LD_PRELOADed into an unmodified program, it installs itself. */
#include "vaka_crash.h"

#include <stdlib.h>
#include <string.h>

static const char *variable(const char *name) {
    const char *value = secure_getenv(name);
    return value == NULL || value[0] == 0 ? NULL : value;
}

/* The flag where the variable is 1. */
static uint32_t flag(const char *name, uint32_t value) {
    const char *text = variable(name);
    return text != NULL && strcmp(text, "1") == 0 ? value : 0;
}

__attribute__((constructor)) static void preload(void) {
    const char *storage = variable("VAKA_STORAGE");
    if (storage == NULL)
        return;
    const char *stack = variable("VAKA_STACK_BYTES");
    /* 0 is the default's number in the configuration; here it is meant. */
    uint32_t stack_bytes = stack == NULL ? 0 : (uint32_t)strtoul(stack, NULL, 10);
    uint32_t flags = flag("VAKA_DEBUG", VAKA_CRASH_DEBUG) | flag("VAKA_REGISTER_MEMORY", VAKA_CRASH_REGISTER_MEMORY) |
                     flag("VAKA_UNBOUNDED_SNAPSHOTS", VAKA_CRASH_UNBOUNDED_SNAPSHOTS) |
                     flag("VAKA_MEMORY_POINTERS_ONLY", VAKA_CRASH_POINTERS_ONLY);
    /* Of a program that does not know of us: some runtimes take over only signals that nobody handles. */
    if (flag("VAKA_END_SIGNALS", 1) == 0)
        flags |= VAKA_CRASH_NO_END_SIGNALS;
    if (stack != NULL && strcmp(stack, "0") == 0)
        flags |= VAKA_CRASH_NO_STACK;
    vaka_crash_config config = {
        .size = sizeof(config),
        .storage = storage,
        .release = variable("VAKA_RELEASE"),
        .environment = variable("VAKA_ENVIRONMENT"),
        .stack_bytes = stack_bytes,
        .flags = flags,
    };
    vaka_crash_install(&config);
}
