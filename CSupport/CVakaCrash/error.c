/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_error[VAKA_PATH_BYTES + 512];

int vaka_fail(int error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_error, sizeof(last_error), format, arguments);
    va_end(arguments);
    return error;
}

void vaka_forget_error(void) {
    last_error[0] = 0;
}

const char *vaka_crash_last_error(void) {
    return last_error;
}
