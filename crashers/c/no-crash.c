/* SPDX-License-Identifier: Apache-2.0 */
/* Ends by a signal that tells of no crash. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int write_to_nobody(void) {
    int ends[2];
    if (pipe(ends) != 0)
        return 1;
    close(ends[0]);
    return write(ends[1], "x", 1) == 1;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    if (strcmp(way, "pipe") == 0)
        return write_to_nobody();
    return raise(strcmp(way, "terminate") == 0 ? SIGTERM : strcmp(way, "quit") == 0 ? SIGQUIT : SIGINT);
}
