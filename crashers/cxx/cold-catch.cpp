// SPDX-License-Identifier: Apache-2.0
// A handler of exceptions, which the compiler sets apart, and a function that was inlined there.
#include <cstdio>
#include <stdexcept>
#include <string>

struct Account {
    int *balance;
};

static inline __attribute__((always_inline)) void reset(Account &account) {
    *account.balance = 0;
}

__attribute__((noinline)) static int withdraw(const Account &account, int amount) {
    if (amount > 100)
        throw std::runtime_error("too much of " + std::to_string(amount));
    return account.balance ? *account.balance - amount : 0;
}

__attribute__((noinline)) static int visit(Account &account, int amount) {
    try {
        return withdraw(account, amount);
    } catch (const std::runtime_error &) {
        reset(account);
        return -1;
    }
}

int main(int count, char **) {
    Account account{nullptr};
    int left = visit(account, 100 + count);
    std::printf("%d\n", left);
    return 0;
}
