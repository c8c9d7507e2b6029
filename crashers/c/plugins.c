/* SPDX-License-Identifier: Apache-2.0 */
/* Loads a plug-in from beside itself: crashes in it, while it is loaded, or calls it when it is gone. */
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int (*filter)(const int *pixels, int count);

__attribute__((noinline)) static void *load_plugin(const char *name) {
    char own[PATH_MAX] = "", path[2 * PATH_MAX];
    if (readlink("/proc/self/exe", own, sizeof(own) - 1) < 0)
        exit(1);
    snprintf(path, sizeof(path), "%s/%s", dirname(own), name);
    void *plugin = dlopen(path, RTLD_NOW);
    if (plugin == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return plugin;
}

__attribute__((noinline)) static int run_filter(filter filter, const int *pixels) {
    int sum = filter(pixels, 4);
    return sum + 1;
}

__attribute__((noinline)) static int edit_picture(const char *way) {
    if (strcmp(way, "constructor") == 0)
        return load_plugin("crashing-plugin.so") != NULL;
    static const int pixels[] = {1, 2, 3, 4};
    void *plugin = load_plugin("plugin.so");
    filter brighten = (filter)dlsym(plugin, "brighten");
    int edited = run_filter(brighten, pixels);
    if (strcmp(way, "unloaded") == 0) {
        dlclose(plugin);
        edited += run_filter(brighten, pixels);
        return edited;
    }
    edited -= run_filter(brighten, NULL);
    return edited;
}

int main(int argc, char **argv) {
    int edited = edit_picture(argc > 1 ? argv[1] : "loaded");
    printf("%d\n", edited);
    return 0;
}
