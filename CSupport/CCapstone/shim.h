/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of x86-64 and arm64 as text. Provider: libcapstone-dev. */
#ifndef VAKA_CCAPSTONE_SHIM_H
#define VAKA_CCAPSTONE_SHIM_H
#include <capstone/capstone.h>
#include <stdbool.h>

/* Zero where it cannot be made; closed by cs_close. */
static inline csh vaka_capstone_open(bool is_arm64) {
    csh handle = 0;
    cs_err error =
        is_arm64 ? cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &handle) : cs_open(CS_ARCH_X86, CS_MODE_64, &handle);
    return error == CS_ERR_OK ? handle : 0;
}

static inline void vaka_capstone_close(csh handle) {
    cs_close(&handle);
}

static inline const char *_Nonnull vaka_capstone_mnemonic(const cs_insn *_Nonnull instruction) {
    return instruction->mnemonic;
}

static inline const char *_Nonnull vaka_capstone_operands(const cs_insn *_Nonnull instruction) {
    return instruction->op_str;
}
#endif
