// SPDX-License-Identifier: Apache-2.0
//
// Bugs by number: shapes.cpp BUG RUN.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef PADDING
int unrelated(int x) {
    for (int i = 0; i < 10; i++)
        x = x * 31 + i;
    return x;
}
#endif

namespace shapes {
volatile int sink;

struct Shape {
    virtual ~Shape() = default;
    virtual int area() const = 0;
};

struct Square : Shape {
    int *volatile side = nullptr;
    int area() const override { return *side * *side; }
};

struct Registry {
    std::vector<std::unique_ptr<Shape>> all;

    Registry() { all.push_back(std::make_unique<Square>()); }

    int total() const {
        int sum = 0;
        for (const auto &shape : all)
            sum += shape->area();
        sink = sum;
        return sum;
    }

    int largest() const {
        int best = 0;
        for (const auto &shape : all)
            best = std::max(best, shape->area());
        sink = best;
        return best;
    }
};

int parse_order(const std::string &text) {
    if (text.size() < 40)
        throw std::runtime_error("bad order " + text);
    return sink;
}

int parse_invoice(const std::string &text) {
    if (text.size() < 40)
        throw std::runtime_error("bad order " + text);
    return sink + 1;
}

int pick(const std::vector<int> &from, std::size_t index) {
    int value = from.at(index);
    sink = value;
    return value;
}

struct Openable {
    virtual ~Openable() = default;
    virtual std::size_t open() const = 0;
};

template <typename T> struct Box : Openable {
    T *volatile content = nullptr;

    std::size_t open() const override {
        std::size_t size = sizeof(T) + reinterpret_cast<volatile const unsigned char *>(content)[sizeof(T) - 1];
        sink = static_cast<int>(size);
        return size;
    }
};

int sort_names(std::vector<std::string *> names) {
    std::sort(names.begin(), names.end(), [](const std::string *a, const std::string *b) { return *a < *b; });
    sink = static_cast<int>(names.size());
    return sink;
}

int notify(const std::function<int(int)> &listener, int value) {
    int n = listener(value);
    sink = n;
    return n;
}

int odd(volatile char *p, int n);

int even(volatile char *p, int n) {
    volatile char room[128];
    room[n & 127] = *p;
    sink = sink + odd(room, n + 1);
    return room[1];
}

int odd(volatile char *p, int n) {
    volatile char room[64];
    room[n & 63] = *p;
    sink = sink + even(room, n + 1);
    return room[2];
}

struct Cache {
    std::map<int, std::shared_ptr<std::string>> entries;

    int length(int key) {
        int n = static_cast<int>(entries[key]->size());
        sink = n;
        return n;
    }

    int first(int key) {
        int n = (*entries[key])[0];
        sink = n;
        return n + 1;
    }
};
} // namespace shapes

using namespace shapes;

static int bug_0(int) { return Registry().total(); }
static int bug_1(int) { return Registry().largest(); }
static int bug_2(int run) { return parse_order(std::to_string(run)); }
static int bug_3(int run) { return parse_invoice(std::to_string(run)); }
static int bug_4(int run) { return pick({1, 2, 3}, 10 + static_cast<std::size_t>(run)); }
// One bug of the template, in two of its instances.
static int bug_5(int run) {
    std::unique_ptr<Openable> box;
    if (run % 2)
        box = std::make_unique<Box<int>>();
    else
        box = std::make_unique<Box<std::string>>();
    return static_cast<int>(box->open());
}
static int bug_6(int) { return sort_names(std::vector<std::string *>(8, nullptr)); }
static int bug_7(int run) { return notify(nullptr, run); }
static int bug_8(int run) {
    char one = 1;
    return even(&one, run);
}
static int bug_9(int run) { return Cache().length(run); }
static int bug_10(int run) { return Cache().first(run); }

int main(int count, char **words) {
    int (*const bugs[])(int) = {bug_0, bug_1, bug_2, bug_3, bug_4, bug_5, bug_6, bug_7, bug_8, bug_9, bug_10};
    return count > 2 ? bugs[std::atoi(words[1])](std::atoi(words[2])) : 2;
}
