/* SPDX-License-Identifier: Apache-2.0 */
/* Crashes where one image leads into another: in a stub of the procedure linkage table, in the kernel's virtual
   library, in the dynamic linker. Built for one address and with lazy binding. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern void *_GLOBAL_OFFSET_TABLE_[];

/* The table's entry that the stub `jmp *entry(%rip)` goes through. */
static uintptr_t *entry_of(const unsigned char *stub) {
    while (stub[0] != 0xff || stub[1] != 0x25)
        stub++;
    int32_t offset;
    memcpy(&offset, stub + 2, sizeof(offset));
    return (uintptr_t *)(stub + 6 + offset);
}

__attribute__((noinline)) static int greet(const char *name) {
    int greeted = puts(name);
    return greeted + 1;
}

__attribute__((noinline)) static long tell_time(time_t *into) {
    long now = time(into);
    return now + 1;
}

__attribute__((noinline)) static int look_up(const char *number) {
    int found = atoi(number);
    return found + 1;
}

__attribute__((noinline)) static long answer(const char *way) {
    long answered = way[0];
    if (strcmp(way, "stub") == 0) {
        *entry_of((const unsigned char *)(uintptr_t)puts) = 0x5a5a5a5a5a5a5a5a;
        answered += greet("Ada");
    } else if (strcmp(way, "virtual-library") == 0) {
        answered += tell_time((time_t *)8);
    } else {
        /* What the dynamic linker knows this image by. */
        _GLOBAL_OFFSET_TABLE_[1] = (void *)8;
        answered += look_up("5");
    }
    return answered;
}

int main(int argc, char **argv) {
    long answered = answer(argc > 1 ? argv[1] : "stub");
    printf("%ld\n", answered);
    return 0;
}
