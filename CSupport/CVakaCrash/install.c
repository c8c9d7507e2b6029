/* SPDX-License-Identifier: Apache-2.0 */
#include "vaka_crash.h"
