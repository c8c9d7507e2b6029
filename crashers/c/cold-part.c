// SPDX-License-Identifier: Apache-2.0
// Code that the compiler sets apart, as it is rarely run: a crash in it, below it, or in what was inlined there.
#include <stdio.h>
#include <string.h>

struct request {
    const char *way;
    int *answer;
    int size;
};

__attribute__((cold, noinline)) static void complain(const struct request *request) {
    fprintf(stderr, "odd request: %s\n", request->way);
}

__attribute__((noinline)) static int store(const struct request *request, int value) {
    *request->answer = value;
    return value + 1;
}

static inline __attribute__((always_inline)) int undo(const struct request *request) {
    return *request->answer -= request->size;
}

__attribute__((noinline)) static int serve(const struct request *request) {
    int sum = request->size * 3;
    if (__builtin_expect(request->way[0] == 'i', 0)) {
        complain(request);
        *request->answer = sum;
        sum += 2;
    }
    if (__builtin_expect(request->way[0] == 'b', 0)) {
        complain(request);
        sum += store(request, sum);
    }
    if (__builtin_expect(request->way[0] == 'u', 0)) {
        complain(request);
        sum -= undo(request);
    }
    return sum + request->size;
}

__attribute__((noinline)) static int serve_all(const struct request *requests, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += serve(&requests[i]);
    return sum + requests->size;
}

int main(int count, char **arguments) {
    struct request request = {count > 1 ? arguments[1] : "in", NULL, (int)strlen(arguments[0])};
    int sum = serve_all(&request, 1);
    printf("%d\n", sum);
    return 0;
}
