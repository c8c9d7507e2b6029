/* SPDX-License-Identifier: Apache-2.0 */
/* Which container this is, where it is one: control groups (v1), mounts (v2) and the runtimes' marker files tell. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ID_DIGITS 64

/* The first run of 64 hexadecimal digits. */
static bool find_id(const char *text, char out[ID_DIGITS + 1]) {
    for (const char *at = text; *at != 0;) {
        size_t digits = strspn(at, "0123456789abcdef");
        if (digits == ID_DIGITS) {
            memcpy(out, at, ID_DIGITS);
            out[ID_DIGITS] = 0;
            return true;
        }
        at += digits > 0 ? digits : 1;
    }
    return false;
}

static const char *runtime_of(const char *text) {
    static const char *const names[] = {"docker", "libpod", "crio", "cri-containerd", "containerd", "lxc", "kubepods"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strstr(text, names[i]) != NULL)
            return strcmp(names[i], "libpod") == 0 ? "podman" : names[i];
    }
    return NULL;
}

/* With control groups v2 a container sees the root group only; files mounted into it lie in a folder named by its id. */
static bool find_mounted_id(char *text, size_t size, char id[ID_DIGITS + 1]) {
    vaka_read_small_file("/proc/self/mountinfo", text, size);
    char *rest = text;
    for (char *line; (line = strtok_r(rest, "\n", &rest)) != NULL;) {
        bool is_mounted_file = strstr(line, "/etc/hostname") != NULL || strstr(line, "/etc/resolv.conf") != NULL;
        if (is_mounted_file && find_id(line, id))
            return true;
    }
    return false;
}

void vaka_container_facts(void) {
    static char text[32768];
    char id[ID_DIGITS + 1] = "";
    vaka_read_small_file("/proc/self/cgroup", text, sizeof(text));
    const char *runtime = runtime_of(text);
    bool has_id = find_id(text, id);
    if (runtime == NULL && access("/.dockerenv", F_OK) == 0)
        runtime = "docker";
    if (runtime == NULL && access("/run/.containerenv", F_OK) == 0)
        runtime = "podman";
    if (runtime == NULL && getenv("KUBERNETES_SERVICE_HOST") != NULL)
        runtime = "kubernetes";
    if (runtime == NULL)
        return;
    if (!has_id)
        has_id = find_mounted_id(text, sizeof(text), id);
    vaka_context_set(VAKA_CONTEXT_CONTAINER, "runtime", runtime);
    if (has_id)
        vaka_context_set(VAKA_CONTEXT_CONTAINER, "id", id);
}
