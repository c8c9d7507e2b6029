/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

#include "async/checksum.h"

#include <errno.h>
#include <string.h>

_Static_assert(VAKA_CRASH_EXCHANGES == VAKA_EXCHANGE_SLOTS, "exchange slots");
_Static_assert(VAKA_CRASH_EXCHANGE_BYTES == VAKA_EXCHANGE_SLOT_BYTES - sizeof(struct vaka_exchange), "exchange bytes");

int vaka_crash_set_exchange(unsigned int slot, uint64_t order, const char *json, size_t bytes) {
    if (slot >= VAKA_EXCHANGE_SLOTS || bytes > VAKA_CRASH_EXCHANGE_BYTES)
        return EINVAL;
    if (json != NULL && (order == 0 || bytes == 0))
        return EINVAL;
    if (!vaka_async_is_installed())
        return ENOTCONN;
    struct vaka_exchange *to = (void *)(vaka_async_state.run + VAKA_EXCHANGES_OFFSET + slot * VAKA_EXCHANGE_SLOT_BYTES);
    /* Whoever reads it meanwhile finds it empty. */
    __atomic_store_n(&to->sequence, 0, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    struct vaka_exchange head = {.sequence = order, .bytes = json == NULL ? 0 : (uint32_t)bytes};
    to->bytes = head.bytes;
    if (json == NULL)
        return 0;
    memcpy(to + 1, json, bytes);
    head.crc = vaka_async_crc32(0, &head, sizeof(head));
    to->crc = vaka_async_crc32(head.crc, to + 1, bytes);
    __atomic_store_n(&to->sequence, order, __ATOMIC_RELEASE);
    return 0;
}
