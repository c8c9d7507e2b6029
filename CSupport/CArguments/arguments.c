/* SPDX-License-Identifier: Apache-2.0 */
#include "vaka_arguments.h"

#include <stddef.h>

static int count;
static char **values;

/* glibc calls constructors with what main will get. */
__attribute__((constructor)) static void keep(int argc, char **argv) {
    count = argc;
    values = argv;
}

const char *vaka_argument(int index) {
    return index >= 0 && index < count ? values[index] : NULL;
}
