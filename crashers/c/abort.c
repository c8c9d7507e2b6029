/* SPDX-License-Identifier: Apache-2.0 */
/* Gives up when its configuration cannot be read. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static int load_configuration(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "cannot read %s\n", path);
        abort();
    }
    fclose(file);
    return 1;
}

__attribute__((noinline)) static int start_server(const char *path) {
    int loaded = load_configuration(path);
    printf("started\n");
    return loaded;
}

int main(void) {
    int started = start_server("/nonexistent/server.conf");
    return started == 0;
}
