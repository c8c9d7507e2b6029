/* SPDX-License-Identifier: Apache-2.0 */
/* Needs a library that crashes before main. */
int library_version(void);

int main(void) {
    return library_version() == 3 ? 0 : 1;
}
