/* SPDX-License-Identifier: Apache-2.0 */
/* Ends with an exception that nobody catches. */
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

struct First {
    virtual ~First() {}
    int value = 1;
};

struct Second : First, std::runtime_error {
    Second() : std::runtime_error("from the second base") {}
};

struct Virtual : virtual std::logic_error {
    Virtual() : std::logic_error("virtual base") {}
};

struct Other {
    int value;
};

void promise() noexcept(true) {
    std::string text = "out of noexcept";
    throw std::runtime_error(text);
}

void rethrow() {
    std::exception_ptr kept;
    try {
        throw std::runtime_error("inner");
    } catch (...) {
        kept = std::current_exception();
    }
    std::rethrow_exception(kept);
}

void run(const std::string &way) {
    if (way == "standard") throw std::runtime_error("bad thing: 42");
    if (way == "second-base") throw Second();
    if (way == "virtual-base") throw Virtual();
    if (way == "integer") throw 7;
    if (way == "other") throw Other();
    if (way == "none") throw;
    if (way == "noexcept") promise();
    if (way == "rethrown") rethrow();
    if (way == "worker") std::thread([] { throw std::out_of_range("in a worker"); }).join();
}

} // namespace

int main(int, char **arguments) {
    run(arguments[1]);
}
