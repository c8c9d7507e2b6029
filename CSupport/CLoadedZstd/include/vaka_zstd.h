/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compression by libzstd, which is loaded at the first use and built without its headers: nearly every system has it, and a
 * program does not depend on it. Any thread may call.
 */
#ifndef VAKA_ZSTD_H
#define VAKA_ZSTD_H

#include <stddef.h>

/* Room that is enough for what so many bytes become; 0 where libzstd.so.1 is missing or unusable. */
size_t vaka_zstd_bound(size_t bytes);

/* One frame, which tells its size. How many bytes it has; 0 where it cannot be made. */
size_t vaka_zstd_compress(void *output, size_t room, const void *input, size_t bytes, int level);

#endif
