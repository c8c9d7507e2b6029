// SPDX-License-Identifier: Apache-2.0
// Exceptions that end the program: of the standard library's types and others, on a std::thread, thrown again where
// there is none, and out of a function that promised to throw nothing.
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

struct ParseError {
    int line;
};

__attribute__((noinline)) static int parse(const std::string &way, volatile int line) {
    if (way == "standard" || way == "thread")
        throw std::out_of_range("line 7 is not there");
    if (way == "own-type")
        throw ParseError{line};
    if (way == "integer")
        throw 42;
    if (way == "rethrow")
        throw;
    return line;
}

__attribute__((noinline)) static int parseSafely(const std::string &way, int line) noexcept {
    int parsed = parse(way, line);
    return parsed + 1;
}

__attribute__((noinline)) static int load(const std::string &way) {
    if (way == "noexcept") {
        int parsed = parseSafely("standard", 6);
        return parsed + 2;
    }
    int parsed = parse(way, 7);
    return parsed + 1;
}

__attribute__((noinline)) static int loadOnThread(const std::string &way) {
    int loaded = 0;
    std::thread loader([&] {
        loaded = load(way);
        std::printf("loaded %d\n", loaded);
    });
    loader.join();
    return loaded;
}

int main(int argc, char **argv) {
    std::string way = argc > 1 ? argv[1] : "standard";
    int loaded = way == "thread" ? loadOnThread(way) : 0;
    loaded += load(way);
    std::printf("%d\n", loaded);
    return 0;
}
