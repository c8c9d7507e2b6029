/* SPDX-License-Identifier: Apache-2.0 */
/* getopt_long of the C library, which Swift's Glibc module leaves out. */
#ifndef VAKA_CGETOPT_SHIM_H
#define VAKA_CGETOPT_SHIM_H
#include <getopt.h>
#endif
