/* SPDX-License-Identifier: Apache-2.0 */
/* Zstandard. Provider: libzstd-dev. */
#ifndef VAKA_CZSTD_SHIM_H
#define VAKA_CZSTD_SHIM_H
#include <zstd.h>
#endif
