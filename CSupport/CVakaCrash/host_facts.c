/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

/* musl has none. */
extern const char *gnu_get_libc_version(void) __attribute__((weak));

size_t vaka_read_small_file(const char *path, char *out, size_t size) {
    size_t length = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got;
    while (fd >= 0 && length < size - 1 && (got = read(fd, out + length, size - 1 - length)) > 0) {
        length += (size_t)got;
    }
    if (fd >= 0)
        close(fd);
    out[length] = 0;
    return length;
}

/* A value of os-release(5) may be quoted, with backslashes before some characters. */
static void unquote(char *value) {
    char quote = *value == '"' || *value == '\'' ? *value : 0;
    char *to = value;
    for (char *from = value + (quote != 0); *from != 0 && *from != quote; from++) {
        if (quote == '"' && *from == '\\' && from[1] != 0)
            from++;
        *to++ = *from;
    }
    *to = 0;
}

static void os_facts(void) {
    static const struct {
        const char *name, *key;
    } wanted[] = {
        {"NAME", "name"},
        {"VERSION_ID", "version"},
        {"ID", "id"},
        {"PRETTY_NAME", "pretty_name"},
    };
    char text[4096];
    if (vaka_read_small_file("/etc/os-release", text, sizeof(text)) == 0) {
        vaka_read_small_file("/usr/lib/os-release", text, sizeof(text));
    }
    char *rest = text;
    for (char *line; (line = strtok_r(rest, "\n", &rest)) != NULL;) {
        char *equals = strchr(line, '=');
        if (equals == NULL)
            continue;
        *equals = 0;
        for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
            if (strcmp(line, wanted[i].name) != 0)
                continue;
            unquote(equals + 1);
            vaka_context_set(VAKA_CONTEXT_OS, wanted[i].key, equals + 1);
        }
    }
}

static void kernel_and_host_facts(void) {
    struct utsname names;
    if (uname(&names) == 0) {
        vaka_context_set(VAKA_CONTEXT_KERNEL, "name", names.sysname);
        vaka_context_set(VAKA_CONTEXT_KERNEL, "release", names.release);
        vaka_context_set(VAKA_CONTEXT_KERNEL, "version", names.version);
        vaka_context_set(VAKA_CONTEXT_HOST, "name", names.nodename);
    }
    if (gnu_get_libc_version != NULL) {
        vaka_context_set(VAKA_CONTEXT_LIBC, "name", "glibc");
        vaka_context_set(VAKA_CONTEXT_LIBC, "version", gnu_get_libc_version());
    }
    cpu_set_t processors;
    if (sched_getaffinity(0, sizeof(processors), &processors) == 0) {
        vaka_context_set_number(VAKA_CONTEXT_HOST, "cpu_count", (uint64_t)CPU_COUNT(&processors));
    }
    struct sysinfo information;
    if (sysinfo(&information) == 0) {
        vaka_context_set_number(VAKA_CONTEXT_HOST, "memory_bytes",
                                (uint64_t)information.totalram * information.mem_unit);
    }
    vaka_context_set_number(VAKA_CONTEXT_HOST, "page_bytes", (uint64_t)sysconf(_SC_PAGESIZE));
}

/* CLOCK_BOOTTIME at which this process was started, by fork: exec leaves it as it is. */
uint64_t vaka_process_start_ticks(void) {
    char text[1024];
    vaka_read_small_file("/proc/self/stat", text, sizeof(text));
    /* The name in parentheses may hold anything; the start is the 20th field after it. */
    const char *at = strrchr(text, ')');
    for (int field = 0; at != NULL && field < 20; field++)
        at = strchr(at + 1, ' ');
    return at == NULL ? UINT64_MAX : strtoull(at, NULL, 10);
}

/* By which a reader finds out whether the process lives on as another program. */
static void identity_facts(void) {
    uint64_t ticks = vaka_process_start_ticks();
    if (ticks != UINT64_MAX)
        vaka_context_set_number(VAKA_CONTEXT_RUN, "start_ticks", ticks);
    struct stat status;
    if (stat("/proc/self/ns/pid", &status) == 0)
        vaka_context_set_number(VAKA_CONTEXT_RUN, "pid_namespace", status.st_ino);
}

static void process_facts(void) {
    char path[VAKA_PATH_BYTES];
    ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
    path[length > 0 ? length : 0] = 0;
    const char *slash = strrchr(path, '/');
    if (length > 0)
        vaka_context_set(VAKA_CONTEXT_PROCESS, "executable", path);
    vaka_context_set(VAKA_CONTEXT_PROCESS, "name", slash == NULL ? program_invocation_short_name : slash + 1);
    vaka_context_set_number(VAKA_CONTEXT_PROCESS, "parent_pid", (uint64_t)getppid());
}

void vaka_host_facts(void) {
    os_facts();
    kernel_and_host_facts();
    vaka_container_facts();
    process_facts();
    identity_facts();
}
