/* SPDX-License-Identifier: Apache-2.0 */
/* Tells return addresses from other numbers by the instruction before them. */
#include "reader.h"
#include "walk.h"

#if !VAKA_CFI_ARM64

#define LONGEST_CALL 7u
#define CALL_RELATIVE 0xe8u /* with a displacement of 32 bits */
#define CALL_RELATIVE_BYTES 5u
#define CALL_INDIRECT 0xffu /* with 2 as the operand byte's middle digit */

/* Of opcode, operand byte (ModRM), index byte (SIB) and displacement (Intel SDM, volume 2, 2.1.5). */
static uint32_t indirect_bytes(uint8_t operand, uint8_t index) {
    uint32_t mode = operand >> 6;
    bool has_index = mode != 3 && (operand & 7) == 4;
    uint32_t base = has_index ? index & 7u : operand & 7u;
    uint32_t displacement = mode == 1 ? 1 : mode == 2 || (mode == 0 && base == 5) ? 4 : 0;
    return 2 + (has_index ? 1 : 0) + displacement;
}

bool vaka_async_follows_call(uint64_t address) {
    uint8_t before[LONGEST_CALL + 1] = {0};
    if (address < sizeof(before) || !vaka_async_read(address - LONGEST_CALL, before, LONGEST_CALL))
        return false;
    if (before[LONGEST_CALL - CALL_RELATIVE_BYTES] == CALL_RELATIVE)
        return true;
    for (uint32_t bytes = 2; bytes <= LONGEST_CALL; bytes++) {
        const uint8_t *call = before + LONGEST_CALL - bytes;
        if (call[0] == CALL_INDIRECT && (call[1] >> 3 & 7) == 2 && indirect_bytes(call[1], call[2]) == bytes)
            return true;
    }
    return false;
}

#else

bool vaka_async_follows_call(uint64_t address) {
    uint32_t word;
    if (address < sizeof(word) || address % sizeof(word) != 0 ||
        !vaka_async_read(address - sizeof(word), &word, sizeof(word)))
        return false;
    return (word & 0xfc000000u) == 0x94000000u || /* bl */
           (word & 0xfffffc1fu) == 0xd63f0000u || /* blr */
           (word & 0xfefff800u) == 0xd63f0800u;   /* blraa, blrab and their zero forms */
}

#endif
