// SPDX-License-Identifier: Apache-2.0
// Copies of a template whose code is equal, of which the linker keeps one.
#include <cstdio>
#include <cstdint>

namespace shop {

template <typename Price> struct Till {
    Price *sum;
    explicit Till(Price *sum) : sum(sum) {}
    __attribute__((noinline)) void add(Price price) {
        *sum += price;
    }
};

template <typename Price> __attribute__((noinline)) int sell(Till<Price> &till, Price price) {
    till.add(price);
    return *till.sum == 4 ? 1 : 0;
}

} // namespace shop

int main() {
    std::int32_t pence = 1;
    shop::Till<std::int32_t> pounds(&pence);
    shop::Till<std::uint32_t> euros(nullptr);
    int sold = shop::sell(pounds, std::int32_t{4});
    sold += shop::sell(euros, std::uint32_t{5});
    std::printf("%d\n", sold);
    return 0;
}
