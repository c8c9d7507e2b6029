/* SPDX-License-Identifier: Apache-2.0 */
/* liblzma. Provider: liblzma-dev. */
#ifndef VAKA_CLZMA_SHIM_H
#define VAKA_CLZMA_SHIM_H
#include <lzma.h>
#endif
