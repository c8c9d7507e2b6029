/* SPDX-License-Identifier: Apache-2.0 */
/* libsodium. Provider: libsodium-dev. */
#ifndef VAKA_CSODIUM_SHIM_H
#define VAKA_CSODIUM_SHIM_H
#include <sodium.h>
#endif
