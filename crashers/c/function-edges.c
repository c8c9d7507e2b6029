/* SPDX-License-Identifier: Apache-2.0 */
/* Crashes between the instructions that a function begins and ends with; see function-edges.S. */
#include <stdio.h>
#include <stdlib.h>

long with_edges(long *const *places);

__attribute__((noinline)) static long visit(int edge) {
    static long there;
    long *places[9];
    for (int i = 0; i < 9; i++)
        places[i] = i == edge ? NULL : &there;
    long visited = with_edges(places);
    return visited + edge;
}

int main(int argc, char **argv) {
    long visited = visit(argc > 1 ? atoi(argv[1]) : 0);
    printf("%ld\n", visited);
    return 0;
}
