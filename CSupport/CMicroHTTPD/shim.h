/* SPDX-License-Identifier: Apache-2.0 */
/* GNU libmicrohttpd. Provider: libmicrohttpd-dev. Swift cannot call its variadic functions. */
#ifndef VAKA_CMICROHTTPD_SHIM_H
#define VAKA_CMICROHTTPD_SHIM_H
#include <microhttpd.h>
#endif
