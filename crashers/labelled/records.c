// SPDX-License-Identifier: Apache-2.0
//
// Bugs by number: records.c BUG RUN. Some share the failing function and differ in how it is reached, some the reverse.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PADDING
int unrelated(int x) {
    for (int i = 0; i < 10; i++)
        x = x * 31 + i;
    return x;
}
#endif

struct message {
    int size;
    const char *text;
};

volatile int sink;
char *volatile slot;

static int read_size(struct message *m) {
    return m->size + 1;
}

static int parse_header(struct message *m) {
    sink++;
    return read_size(m) * 2;
}

int load_message(struct message *m) {
    int n = parse_header(m);
    sink += n;
    return n;
}

int import_archive(struct message *m) {
    sink--;
    int n = parse_header(m);
    sink += n;
    return n + 1;
}

static void check_invariant(int x) {
    if (x < 1000)
        abort();
    sink = x;
}

int commit(int x) {
    check_invariant(x);
    sink++;
    return x + 1;
}

int roll_back(int x) {
    sink--;
    check_invariant(x - 1);
    sink++;
    return x - 1;
}

int release_session(char *p) {
    free(p);
    sink++;
    free(p);
    return sink;
}

int close_all(void) {
    slot = malloc(24);
    int n = release_session(slot);
    sink += n;
    return n;
}

int average(int total, int count) {
    int n = total / count;
    sink = n;
    return n + 1;
}

int walk(volatile char *p, int n) {
    volatile char room[256];
    room[n & 255] = *p;
    sink += walk(room, n + 1);
    return room[3] + *p;
}

int name_length(const char *name) {
    int n = (int)strlen(name);
    sink = n;
    return n + 1;
}

static int by_size(const void *a, const void *b) {
    sink++;
    if (sink > 3)
        *(volatile int *)8 = 1;
    return *(int *)a - *(int *)b;
}

int cheapest(void) {
    int v[8] = {4, 3, 9, 1, 5, 2, 8, 7};
    qsort(v, 8, sizeof *v, by_size);
    sink = v[0];
    return v[0];
}

int print_name(const char *name) {
    int n = fprintf(stderr, "%s %d\n", name, sink);
    sink += n;
    return n;
}

struct operations {
    int (*open)(int);
    int (*close)(int);
};

int open_device(struct operations *operations, int n) {
    int result = operations->open(n);
    sink = result;
    return result + 1;
}

int close_device(struct operations *operations, int n) {
    int result = operations->close(n);
    sink = result;
    return result - 1;
}

/* What the compiler does not see through: as in a program whose input decides. */
static struct message *volatile no_message;
static const char *volatile no_name, *volatile bad_name = (const char *)16;
static volatile int nobody;
static struct operations none;
static struct operations *volatile device = &none;

static int bug_0(int run) {
    return load_message(no_message) + run;
}
static int bug_1(int run) {
    return import_archive(no_message) + run;
}
static int bug_2(int run) {
    return commit(run);
}
static int bug_3(int run) {
    return roll_back(run);
}
static int bug_4(int run) {
    return close_all() + run;
}
static int bug_5(int run) {
    return average(run, nobody);
}
static int bug_6(int run) {
    char one = 1;
    return walk(&one, run);
}
static int bug_7(int run) {
    return name_length(no_name) + run;
}
static int bug_8(int run) {
    return cheapest() + run;
}
static int bug_9(int run) {
    return print_name(bad_name) + run;
}
static int bug_10(int run) {
    return open_device(device, run);
}
static int bug_11(int run) {
    return close_device(device, run);
}

int main(int count, char **words) {
    int (*const bugs[])(int) = {bug_0, bug_1, bug_2, bug_3, bug_4, bug_5, bug_6, bug_7, bug_8, bug_9, bug_10, bug_11};
    return count > 2 ? bugs[atoi(words[1])](atoi(words[2])) : 2;
}
