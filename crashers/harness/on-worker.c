/* SPDX-License-Identifier: Apache-2.0 */
/* Linked with a program whose main was renamed: runs it on a thread of its own, as a program's main thread does that
   only waits for the others. */
#include <pthread.h>

int program_main(int argc, char **argv);

struct command_line {
    int argc;
    char **argv;
    int status;
};

static void *worker(void *argument) {
    struct command_line *line = argument;
    line->status = program_main(line->argc, line->argv);
    return NULL;
}

int main(int argc, char **argv) {
    struct command_line line = {argc, argv, 1};
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, &line) != 0)
        return 1;
    pthread_join(thread, NULL);
    return line.status;
}
