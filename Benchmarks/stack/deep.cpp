// SPDX-License-Identifier: Apache-2.0
// Crashes under a stack of some 64 physical frames, each with inlined calls, and through qsort of the C library.
#include <cstdlib>
#include <vector>

template <typename Value> static inline __attribute__((always_inline)) Value read(const std::vector<Value *> &values) {
    return *values.at(0) + 1;
}

static std::vector<int *> values{nullptr};

static int compare(const void *, const void *) {
    return read(values);
}

__attribute__((noinline)) static int descend(int depth) {
    if (depth == 0) {
        int numbers[] = {3, 2, 1};
        std::qsort(numbers, 3, sizeof *numbers, compare);
        return numbers[0];
    }
    volatile int below = descend(depth - 1);
    return below + 1;
}

int main() {
    return descend(57);
}
