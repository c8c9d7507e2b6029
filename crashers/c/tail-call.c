// SPDX-License-Identifier: Apache-2.0
// Functions that end in a jump to the next one, so that their own frames are gone.
#include <stdio.h>

struct parcel {
    volatile int *weight;
};

__attribute__((noinline)) static int weigh(const struct parcel *parcel) {
    return *parcel->weight + 1;
}

__attribute__((noinline)) static int inspect(const struct parcel *parcel, int number) {
    if (number > 5)
        puts("a late one");
    return weigh(parcel);
}

__attribute__((noinline)) static int deliver(const struct parcel *parcel, int number) {
    int cost = inspect(parcel, number + 1);
    return cost * 2;
}

int main(int count, char **arguments) {
    (void)arguments;
    struct parcel parcel = {NULL};
    int cost = deliver(&parcel, count);
    printf("%d\n", cost);
    return 0;
}
