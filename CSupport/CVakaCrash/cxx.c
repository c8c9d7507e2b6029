/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The type and what() of an uncaught C++ exception. Everything is found at run time by the names of the Itanium C++
 * ABI, so that C programs need no C++ library; libstdc++ and libc++ both have them.
 */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*terminate_handler)(void);

/* std::type_info: its vtable pointer, then the mangled name ('*' before one that is not unique). */
struct type_info {
    const uintptr_t *vtable;
    const char *name;
};

/* std::exception_ptr is one pointer, returned through hidden memory: so is a C struct of more than two words. */
struct exception_pointer {
    void *object;
    void *padding[3];
};

extern terminate_handler _ZSt13set_terminatePFvvE(terminate_handler handler) __attribute__((weak));
extern const struct type_info *__cxa_current_exception_type(void) __attribute__((weak));
extern char *__cxa_demangle(const char *name, char *out, size_t *length, int *status) __attribute__((weak));
extern struct exception_pointer _ZSt17current_exceptionv(void) __attribute__((weak));
extern const struct type_info _ZTISt9exception __attribute__((weak));

static struct {
    terminate_handler (*set_terminate)(terminate_handler);
    const struct type_info *(*current_type)(void);
    char *(*demangle)(const char *, char *, size_t *, int *);
    struct exception_pointer (*current)(void);
    const struct type_info *std_exception;
} cxx;

static terminate_handler previous;
static bool is_installed;

/* Slots of the vtables: std::type_info's catch test (both libraries), std::exception's what(). */
#define CATCH_SLOT 4
#define WHAT_SLOT 2

typedef bool (*catch_test)(const struct type_info *, const struct type_info *, void **, unsigned);
typedef const char *(*what_function)(const void *);

/* The text of an exception derived from std::exception, else NULL. */
static const char *what(const struct type_info *type) {
    if (cxx.current == NULL || cxx.std_exception == NULL)
        return NULL;
    void *object = cxx.current().object;
    if (object == NULL)
        return NULL;
    /* Moves the pointer to the std::exception within the object, wherever its bases put that. */
    catch_test can_catch = (catch_test)cxx.std_exception->vtable[CATCH_SLOT];
    if (!can_catch(cxx.std_exception, type, &object, 1))
        return NULL;
    const uintptr_t *vtable = *(const uintptr_t *const *)object;
    return ((what_function)vtable[WHAT_SLOT])(object);
}

static void keep(const char *type, const char *text) {
    struct vaka_message *message = &vaka_async_state.texts.cxx;
    __atomic_store_n(&message->length, 0, __ATOMIC_RELEASE);
    int length = text == NULL ? snprintf(message->text, sizeof(message->text), "%s", type)
                              : snprintf(message->text, sizeof(message->text), "%s: %s", type, text);
    bool is_cut = length >= (int)sizeof(message->text);
    message->cut = is_cut;
    __atomic_store_n(&message->length, is_cut ? (uint32_t)sizeof(message->text) - 1 : (uint32_t)length,
                     __ATOMIC_RELEASE);
}

static void keep_exception(void) {
    const struct type_info *type = cxx.current_type == NULL ? NULL : cxx.current_type();
    if (type == NULL) {
        keep("std::terminate was called without an active exception", NULL);
        return;
    }
    const char *name = type->name + (type->name[0] == '*');
    int status = -1;
    char *demangled = cxx.demangle == NULL ? NULL : cxx.demangle(name, NULL, NULL, &status);
    const char *shown = status == 0 && demangled != NULL ? demangled : name;
    /* First without what(), which is code of the program's and may crash. */
    keep(shown, NULL);
    const char *text = what(type);
    if (text != NULL)
        keep(shown, text);
    free(demangled);
}

static void handle_terminate(void) {
    static int entered;
    if (__atomic_exchange_n(&entered, 1, __ATOMIC_ACQ_REL) == 0)
        keep_exception();
    if (previous != NULL && previous != handle_terminate)
        previous();
    abort();
}

#define FIND(member, symbol, name)                                                                                     \
    do {                                                                                                               \
        cxx.member = symbol;                                                                                           \
        if (cxx.member == NULL)                                                                                        \
            cxx.member = (__typeof__(cxx.member))(uintptr_t)vaka_symbol(name);                                         \
    } while (0)

static void find_all(void) {
    FIND(set_terminate, _ZSt13set_terminatePFvvE, "_ZSt13set_terminatePFvvE");
    FIND(current_type, __cxa_current_exception_type, "__cxa_current_exception_type");
    FIND(demangle, __cxa_demangle, "__cxa_demangle");
    FIND(current, _ZSt17current_exceptionv, "_ZSt17current_exceptionv");
    cxx.std_exception = &_ZTISt9exception;
    if (cxx.std_exception == NULL)
        cxx.std_exception = vaka_symbol("_ZTISt9exception");
}

void vaka_cxx_install(void) {
    find_all();
    if (cxx.set_terminate == NULL)
        return;
    previous = cxx.set_terminate(handle_terminate);
    is_installed = true;
}

void vaka_cxx_uninstall(void) {
    if (!is_installed)
        return;
    is_installed = false;
    terminate_handler current = cxx.set_terminate(previous);
    /* Someone's came after ours: it is put back, and goes on calling ours. */
    if (current != handle_terminate)
        cxx.set_terminate(current);
}
