/* SPDX-License-Identifier: Apache-2.0 */
/* Calls the system in a way that its own filter does not let through. */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void refuse(int number) {
    struct sock_filter instructions[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof(instructions) / sizeof(instructions[0]), instructions};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
        _exit(99);
}

__attribute__((noinline)) static long start_accounting(const char *file) {
    long result = syscall(SYS_acct, file);
    return result + 1;
}

__attribute__((noinline)) static long serve(int requests) {
    refuse(SYS_acct);
    long served = requests;
    served += start_accounting("accounting");
    return served;
}

int main(void) {
    long served = serve(3);
    printf("%ld\n", served);
    return 0;
}
