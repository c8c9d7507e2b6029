/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts a price list with a comparison that refuses a negative price. */
#include <stdio.h>
#include <stdlib.h>

struct price {
    int article;
    int cents;
};

__attribute__((noinline)) static int checked_cents(const struct price *price) {
    if (price->cents < 0) {
        abort();
    }
    return price->cents;
}

__attribute__((noinline)) static int compare_prices(const void *left, const void *right) {
    int a = checked_cents(left);
    int b = checked_cents(right);
    return (a > b) - (a < b);
}

__attribute__((noinline)) static int cheapest_article(struct price *prices, size_t count) {
    qsort(prices, count, sizeof(*prices), compare_prices);
    return prices[0].article;
}

int main(void) {
    struct price prices[] = {{1, 500}, {2, 120}, {3, 990}, {4, -1}, {5, 70}, {6, 310}};
    int article = cheapest_article(prices, sizeof(prices) / sizeof(prices[0]));
    printf("cheapest: %d\n", article);
    return 0;
}
