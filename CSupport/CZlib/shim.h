/* SPDX-License-Identifier: Apache-2.0 */
/* zlib. Provider: zlib1g-dev. */
#ifndef VAKA_CZLIB_SHIM_H
#define VAKA_CZLIB_SHIM_H
#include <zlib.h>
#endif
