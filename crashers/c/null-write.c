/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up orders by customer and forgets that a customer may be unknown. */
#include <stdio.h>
#include <string.h>

struct customer {
    const char *name;
    long total;
};

static struct customer customers[] = {{"ada", 0}, {"grace", 0}};

__attribute__((noinline)) static struct customer *find_customer(const char *name) {
    for (size_t i = 0; i < sizeof(customers) / sizeof(customers[0]); i++)
        if (strcmp(customers[i].name, name) == 0)
            return &customers[i];
    return NULL;
}

__attribute__((noinline)) static long book_order(const char *name, long amount) {
    volatile struct customer *customer = find_customer(name);
    customer->total += amount;
    return customer->total;
}

__attribute__((noinline)) static long book_orders(char **orders, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++)
        sum += book_order(orders[i], 10L * i);
    return sum;
}

int main(int argc, char **argv) {
    char *orders[] = {"ada", "grace", argc > 1 ? argv[1] : "linus"};
    long sum = book_orders(orders, 3);
    printf("booked %ld\n", sum);
    return 0;
}
