/* SPDX-License-Identifier: Apache-2.0 */
/* Measures a list whose last element was never linked. */
#include <stdio.h>

struct node {
    struct node *next;
    int weight;
};

__attribute__((noinline)) static int weight_of(const volatile struct node *node) {
    return node->weight + 1;
}

__attribute__((noinline)) static int total_weight(const struct node *first, int count) {
    int total = 0;
    for (const struct node *node = first; count > 0; node = node->next, count--)
        total += weight_of(node);
    return total;
}

int main(void) {
    struct node last = {NULL, 3}, first = {&last, 4};
    int total = total_weight(&first, 3);
    printf("%d\n", total);
    return 0;
}
