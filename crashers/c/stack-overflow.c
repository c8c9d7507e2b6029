/* SPDX-License-Identifier: Apache-2.0 */
/* Walks a folder tree that contains itself. */
#include <stdio.h>

struct folder {
    const char *name;
    struct folder *parent;
};

__attribute__((noinline)) static int path_length(const volatile struct folder *folder, int depth) {
    volatile char separator[24];
    separator[depth % 24] = '/';
    if (folder->parent == NULL)
        return depth;
    return path_length(folder->parent, depth + 1) + (separator[depth % 24] == '/');
}

__attribute__((noinline)) static int print_path(struct folder *folder) {
    int length = path_length(folder, 0);
    return printf("%s: %d\n", folder->name, length);
}

int main(void) {
    struct folder root = {"root", NULL}, loop = {"loop", &root};
    root.parent = &loop;
    int printed = print_path(&loop);
    return printed == 0;
}
