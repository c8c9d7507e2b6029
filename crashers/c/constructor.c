/* SPDX-License-Identifier: Apache-2.0 */
/* Crashes before main. */
static int *volatile nowhere = (int *)8;

__attribute__((noinline)) static int load_table(int amount) {
    *nowhere += amount;
    return *nowhere + 1;
}

__attribute__((constructor)) static void start_module(void) {
    volatile int loaded = load_table(1);
    (void)loaded;
}

int main(void) {
    return 0;
}
