/* SPDX-License-Identifier: Apache-2.0 */
/* Message digests of the BSDs. Provider: libmd-dev. */
#ifndef VAKA_CMESSAGEDIGEST_SHIM_H
#define VAKA_CMESSAGEDIGEST_SHIM_H
#include <sys/types.h>

#include <md5.h>
#include <sha2.h>
#endif
