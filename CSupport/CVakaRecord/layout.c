/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles the headers alone, so that their static asserts run. */
#include "vaka_record.h"
