/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes snapshots of itself: snapshots STORAGE WAY [ARGUMENT]. With -DPRELOADED the library has installed itself by
 * VAKA_STORAGE.
 */
#define _GNU_SOURCE
#include "snapshotting.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static void beside_threads(void) {
    install();
    vaka_crash_set_tag("colour", "red");
    vaka_crash_add_breadcrumb(VAKA_CRASH_LEVEL_INFO, "test", "before", NULL);
    start(run_named, "first");
    start(run_named, "second");
    wait_for_threads(2);
    exit(snapshot("slow request"));
}

static void alone(void) {
    install();
    exit(snapshot(NULL));
}

/* A message of the argument's length. */
static void with_long_message(void) {
    size_t length = strtoul(argument, NULL, 0);
    char *text = malloc(length + 1);
    install();
    memset(text, 'x', length);
    text[length] = 0;
    exit(snapshot(text));
}

/* --- several at once, too many, none --- */

static void *take_five(void *value) {
    int failed = 0;
    for (int i = 0; i < 5; i++)
        failed += snapshot("at once") != 0;
    *(int *)value = failed;
    return NULL;
}

static void at_once(void) {
    int failed[8];
    pthread_t threads[8];
    install();
    for (int i = 0; i < 8; i++)
        threads[i] = start(take_five, &failed[i]);
    int all = 0;
    for (int i = 0; i < 8; i++) {
        pthread_join(threads[i], NULL);
        all += failed[i];
    }
    printf("%d failed\n", all);
    exit(0);
}

static void too_many(void) {
    int taken = 0, error = 0;
    install_with(0);
    while (taken < 100 && (error = vaka_crash_snapshot(NULL, NULL)) == 0)
        taken++;
    printf("%d taken, then %s\n", taken, error == EAGAIN ? "EAGAIN" : strerror(error));
    exit(0);
}

static void until_full(void) {
    int taken = 0, error = 0;
    install();
    while (taken < 300 && (error = vaka_crash_snapshot(NULL, NULL)) == 0)
        taken++;
    printf("%d taken, then %s\n", taken, error == EDQUOT ? "EDQUOT" : strerror(error));
    exit(0);
}

static void without_install(void) {
    printf("%s\n", vaka_crash_snapshot(NULL, NULL) == ENOTCONN ? "ENOTCONN" : "?");
    exit(0);
}

static void after_uninstall(void) {
    install();
    vaka_crash_uninstall();
    printf("%s\n", vaka_crash_snapshot(NULL, NULL) == ENOTCONN ? "ENOTCONN" : "?");
    exit(0);
}

static void *take_for_ever(void *value) {
    int error;
    do {
        error = vaka_crash_snapshot("for ever", NULL);
    } while (error == 0 || error == EDQUOT);
    *(int *)value = error;
    return NULL;
}

static void beside_uninstall(void) {
    int error = 0;
    install();
    pthread_t thread = start(take_for_ever, &error);
    usleep(20000);
    vaka_crash_uninstall();
    pthread_join(thread, NULL);
    printf("%s\n", error == ENOTCONN ? "ENOTCONN" : strerror(error));
    exit(0);
}

static void unwritable(void) {
    install();
    struct rlimit limit = {strtoul(argument, NULL, 0), RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    start(run_named, "first");
    wait_for_threads(1);
    printf("%s\n", vaka_crash_snapshot(NULL, NULL) == EFBIG ? "EFBIG" : "?");
    exit(0);
}

static void without_descriptors(void) {
    install();
    while (dup(0) >= 0) {
    }
    int error = vaka_crash_snapshot(NULL, NULL);
    printf("%s\n", error == EMFILE ? "EMFILE" : strerror(error));
    exit(0);
}

/* Someone removes what is old. */
static void removed_folders(void) {
    char command[8192];
    install();
    snprintf(command, sizeof(command), "rm -rf '%s'/*", storage);
    if (system(command) != 0)
        exit(97);
    exit(snapshot(NULL));
}

/* --- crashes beside it --- */

static void *crash_soon(void *value) {
    usleep((useconds_t)atoi(argument));
    *(volatile int *)8 = 1;
    return value;
}

static void crash_beside(void) {
    int error;
    install();
    start(run_named, "busy");
    wait_for_threads(1);
    start(crash_soon, NULL);
    take_for_ever(&error);
}

static void own_crash(void) {
    install();
    start(run_named, "busy");
    wait_for_threads(1);
    snapshot(NULL);
    printf("alive\n");
    exit(0);
}

static void then_crash(void) {
    install();
    start(run_named, "busy");
    wait_for_threads(1);
    if (snapshot("first") == 0)
        *(volatile int *)8 = 1;
}

/* --- processes --- */

static void forked(void) {
    install();
    start(run_named, "only the parent's");
    wait_for_threads(1);
    pid_t child = fork();
    if (child == 0)
        exit(snapshot("child"));
    int status = 0;
    waitpid(child, &status, 0);
    exit(WIFEXITED(status) ? WEXITSTATUS(status) + snapshot("parent") : 94);
}

/* Forks from another thread while snapshots are taken: the children can take theirs, or crash. */
static void forks_beside(void) {
    int error;
    install();
    start(take_for_ever, &error);
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            int taken = vaka_crash_snapshot("child", NULL);
            _exit(taken == EDQUOT ? 0 : taken);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (status != 0) {
            printf("status %x\n", status);
            exit(0);
        }
    }
    printf("20 children\n");
    exit(0);
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {
        {"threads", beside_threads},
        {"alone", alone},
        {"message", with_long_message},
        {"at-once", at_once},
        {"too-many", too_many},
        {"full", until_full},
        {"without-install", without_install},
        {"after-uninstall", after_uninstall},
        {"beside-uninstall", beside_uninstall},
        {"unwritable", unwritable},
        {"descriptors", without_descriptors},
        {"removed", removed_folders},
        {"crash-beside", crash_beside},
        {"own-crash", own_crash},
        {"then-crash", then_crash},
        {"forked", forked},
        {"forks-beside", forks_beside},
    };
    storage = count > 1 ? arguments[1] : "";
    argument = count > 3 ? arguments[3] : "";
    for (size_t i = 0; count > 2 && i < sizeof(ways) / sizeof(ways[0]); i++) {
        if (strcmp(arguments[2], ways[i].name) == 0)
            ways[i].run();
    }
    return 98;
}
