/* SPDX-License-Identifier: Apache-2.0 */
/* The control group whose memory the process counts in: version 1's hierarchy "memory", or version 2's only one. */
#include "internal.h"

#include "async/figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOT "/sys/fs/cgroup"

struct names {
    const char *version;
    const char *usage, *limit, *kills;
    const char *own_kills; /* without those of the groups below, where the kernel counts them apart */
};

static const struct names version1 = {"1", "memory.usage_in_bytes", "memory.limit_in_bytes", "memory.oom_control", ""};
static const struct names version2 = {"2", "memory.current", "memory.max", "memory.events", "memory.events.local"};

static bool join(char out[VAKA_GROUP_PATH_BYTES], const char *folder, const char *name) {
    int length = snprintf(out, VAKA_GROUP_PATH_BYTES, "%s/%s", folder, name);
    bool is_there = length > 0 && length < VAKA_GROUP_PATH_BYTES && access(out, R_OK) == 0;
    if (!is_there)
        out[0] = 0;
    return is_there;
}

static bool use(const char *folder, const char *path, const struct names *names) {
    struct vaka_group_files *files = &vaka_async_group;
    bool has_own = names->own_kills[0] != 0 && join(files->kills, folder, names->own_kills);
    if (!has_own && !join(files->kills, folder, names->kills))
        return false;
    join(files->usage, folder, names->usage);
    join(files->limit, folder, names->limit);
    vaka_context_set(VAKA_CONTEXT_GROUP, "version", names->version);
    vaka_context_set(VAKA_CONTEXT_GROUP, "path", path);
    vaka_context_set(VAKA_CONTEXT_GROUP, "kills_file", files->kills);
    struct stat status;
    if (stat(folder, &status) == 0)
        vaka_context_set_number(VAKA_CONTEXT_GROUP, "inode", status.st_ino);
    return true;
}

/*
 * A container may see its own group as the root while the group's name is the host's: then the root is read.
 * `below` is where under the root the hierarchy may be mounted.
 */
static bool find(const char *root, const char *const below[2], const char *path, const struct names *names) {
    const char *name = strcmp(path, "/") == 0 ? "" : path;
    const char *const groups[] = {name, ""};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            char folder[VAKA_GROUP_PATH_BYTES];
            int length = snprintf(folder, sizeof(folder), "%s%s%s", root, below[j], groups[i]);
            if (length > 0 && (size_t)length < sizeof(folder) && use(folder, path, names))
                return true;
        }
    }
    return false;
}

static bool names_memory(const char *controllers) {
    for (const char *at = controllers; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, "memory", 6) == 0 && (at[6] == 0 || at[6] == ','))
            return true;
    }
    return false;
}

/* A line is "NUMBER:CONTROLLERS:PATH". */
static bool find_by_line(const char *root, char *line) {
    static const char *const folders1[2] = {"/memory", "/memory"};
    static const char *const folders2[2] = {"", "/unified"};
    char *controllers = strchr(line, ':');
    char *path = controllers == NULL ? NULL : strchr(controllers + 1, ':');
    if (path == NULL)
        return false;
    *controllers++ = 0;
    *path++ = 0;
    if (names_memory(controllers))
        return find(root, folders1, path, &version1);
    if (strcmp(line, "0") == 0 && controllers[0] == 0)
        return find(root, folders2, path, &version2);
    return false;
}

void vaka_control_group_find(void) {
    static char text[16384];
    memset(&vaka_async_group, 0, sizeof(vaka_async_group));
    const char *root = secure_getenv("VAKA_CGROUP_ROOT");
    if (root == NULL || root[0] != '/')
        root = ROOT;
    vaka_read_small_file("/proc/self/cgroup", text, sizeof(text));
    char *rest = text;
    for (char *line; (line = strtok_r(rest, "\n", &rest)) != NULL;) {
        if (find_by_line(root, line))
            return;
    }
}
