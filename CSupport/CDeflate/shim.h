/* SPDX-License-Identifier: Apache-2.0 */
/* Zlib streams that are whole in memory, at some times zlib's speed. Provider: libdeflate-dev. */
#ifndef VAKA_CDEFLATE_SHIM_H
#define VAKA_CDEFLATE_SHIM_H
#include <libdeflate.h>
#endif
