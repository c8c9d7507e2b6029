/* SPDX-License-Identifier: Apache-2.0 */
/* The average of an empty sample. */
#include <stdio.h>

__attribute__((noinline)) static long average(const long *values, volatile long count) {
    long sum = 0;
    for (long i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

__attribute__((noinline)) static long report_sample(const char *name, const long *values, long count) {
    long mean = average(values, count);
    printf("%s: %ld\n", name, mean);
    return mean;
}

int main(void) {
    long values[] = {4, 8, 15};
    long sum = report_sample("first", values, 3);
    sum += report_sample("second", values, 0);
    printf("%ld\n", sum);
    return 0;
}
