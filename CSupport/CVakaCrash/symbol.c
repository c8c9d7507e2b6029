/* SPDX-License-Identifier: Apache-2.0 */
/* What the program may or may not have. Weak references serve static programs, which have no dlsym. */
#include "internal.h"

#include "async/pointers.h"

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
    void (*hand_over)(const char *) = (void (*)(const char *))(uintptr_t)dlsym(next, "vaka_crash_hand_over");
    if (is_installed == NULL || hand_over == NULL || is_installed == vaka_crash_is_installed)
        return;
    if (!is_installed())
        return;
    int (*keeps_pointers_only)(void) = (int (*)(void))(uintptr_t)dlsym(next, "vaka_crash_keeps_pointers_only");
    if (keeps_pointers_only != NULL && keeps_pointers_only() != 0)
        vaka_async_keep_pointers_only(keeps_pointers_only());
    hand_over(vaka_async_state.storage);
}

static uintptr_t find_swift_buffer(void) {
    static const char name[] = "swift_getFatalErrorMessageBuffer";
    if (swift_getFatalErrorMessageBuffer != NULL)
        return (uintptr_t)swift_getFatalErrorMessageBuffer;
    void *found = vaka_symbol(name);
    return (uintptr_t)(found != NULL ? found : vaka_program_function(name));
}

void vaka_texts_find(void) {
    struct vaka_texts *texts = &vaka_async_state.texts;
    const char *const volatile *(*buffer)(void) = (const char *const volatile *(*)(void))find_swift_buffer();
    texts->swift_message = buffer == NULL ? NULL : buffer();
    texts->glibc_message = vaka_symbol("__abort_msg");
}
