/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starts a Java virtual machine within itself, then ends in C or lives: java LIBJVM WAY. With -DINSTALLS it is linked
 * with the library, whose handlers it sets after the machine's, and lets Java code meet null pointers first.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef INSTALLS
#include "vaka_crash.h"
#endif

/* The Invocation API's structs (Java Native Interface Specification, chapter 5), and places in the function table. */
struct option {
    const char *text;
    void *extra;
};

struct arguments {
    int32_t version;
    int32_t count;
    struct option *options;
    uint8_t ignores_unknown;
};

#define JNI_VERSION_1_8 0x00010008
enum { FIND_CLASS = 6, EXCEPTION_CLEAR = 17, GET_STATIC_METHOD_ID = 113, CALL_STATIC_VOID_METHOD = 141 };

typedef int32_t (*create_function)(void **machine, void ***environment, void *arguments);

static int *volatile nowhere = (int *)8;

__attribute__((noinline)) static int native_call(int value) {
    *nowhere = value;
    return value + 1;
}

/* A machine that writes no core exits, and does not abort. */
static void ***start(const char *path, int exits) {
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    create_function create = library == NULL ? NULL : (create_function)dlsym(library, "JNI_CreateJavaVM");
    struct option options[] = {{"-Xmx32m", NULL}, {"-XX:-CreateCoredumpOnCrash", NULL}};
    struct arguments arguments = {JNI_VERSION_1_8, exits ? 2 : 1, options, 0};
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    void *machine, **environment;
    if (create == NULL || create(&machine, &environment, &arguments) != 0) {
        fprintf(stderr, "%s\n", dlerror());
        exit(97);
    }
    return (void ***)environment;
}

#ifdef INSTALLS
/* java.util.Arrays.sort(null): the machine learns of the null pointer by a fault, and throws. */
static void meet_null(void ***environment) {
    void **functions = *environment;
    void *(*find)(void *, const char *) = (void *(*)(void *, const char *))functions[FIND_CLASS];
    void *(*method)(void *, void *, const char *, const char *) =
        (void *(*)(void *, void *, const char *, const char *))functions[GET_STATIC_METHOD_ID];
    void (*call)(void *, void *, void *, ...) =
        (void (*)(void *, void *, void *, ...))functions[CALL_STATIC_VOID_METHOD];
    void (*clear)(void *) = (void (*)(void *))functions[EXCEPTION_CLEAR];
    void *arrays = find(environment, "java/util/Arrays");
    void *sort = method(environment, arrays, "sort", "([I)V");
    for (int i = 0; i < 5; i++) {
        call(environment, arrays, sort, NULL);
        clear(environment);
    }
}

static void install(void ***environment) {
    vaka_crash_config config = {.size = sizeof(config), .storage = getenv("VAKA_STORAGE")};
    if (vaka_crash_install(&config) != 0)
        exit(95);
    meet_null(environment);
}
#else
static void install(void ***environment) {
    (void)environment;
}
#endif

int main(int argc, char **argv) {
    const char *way = argc > 2 ? argv[2] : "";
    install(start(argc > 1 ? argv[1] : "", strcmp(way, "fault-exit") == 0));
    if (strncmp(way, "fault", 5) == 0)
        return native_call(argc);
    if (strcmp(way, "sent") == 0)
        kill(getpid(), SIGSEGV);
    if (strcmp(way, "abort") == 0)
        abort();
    exit(0);
}
