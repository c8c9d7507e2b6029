/* SPDX-License-Identifier: Apache-2.0 */
/* What the program may or may not have. Weak references serve static programs, which have no dlsym. */
#include "internal.h"

extern void *dlsym(void *handle, const char *name) __attribute__((weak));
extern const char *const volatile *swift_getFatalErrorMessageBuffer(void) __attribute__((weak));

void *vaka_symbol(const char *name) {
    return dlsym == NULL ? NULL : dlsym(NULL /* RTLD_DEFAULT */, name);
}

void vaka_replace_other_copy(void) {
    if (dlsym == NULL)
        return;
    /* RTLD_NEXT: among the objects after the one that this copy is in. */
    void *next = (void *)-1L;
    int (*is_installed)(void) = (int (*)(void))(uintptr_t)dlsym(next, "vaka_crash_is_installed");
    void (*uninstall)(void) = (void (*)(void))(uintptr_t)dlsym(next, "vaka_crash_uninstall");
    if (is_installed == NULL || uninstall == NULL || is_installed == vaka_crash_is_installed)
        return;
    if (is_installed())
        uninstall();
}

void vaka_texts_find(void) {
    struct vaka_texts *texts = &vaka_async_state.texts;
    const char *const volatile *(*buffer)(void) = swift_getFatalErrorMessageBuffer;
    if (buffer == NULL) {
        buffer = (const char *const volatile *(*)(void))(uintptr_t)vaka_symbol("swift_getFatalErrorMessageBuffer");
    }
    texts->swift_message = buffer == NULL ? NULL : buffer();
    texts->glibc_message = vaka_symbol("__abort_msg");
}
