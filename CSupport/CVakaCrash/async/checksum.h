/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VAKA_ASYNC_CHECKSUM_H
#define VAKA_ASYNC_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Makes the tables; once, before the first checksum. */
void vaka_async_checksum_prepare(void);

/* The same number as vaka_crc32, eight bytes at a time: a record's checksums are most of the handler's own time. */
uint32_t vaka_async_crc32(uint32_t crc, const void *data, size_t bytes);

#pragma GCC visibility pop
#endif
