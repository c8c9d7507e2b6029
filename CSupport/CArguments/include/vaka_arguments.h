/* SPDX-License-Identifier: Apache-2.0 */
/* The program's arguments as the C library got them. Swift's CommandLine reads them from /proc, which may not be there. */
#ifndef VAKA_ARGUMENTS_H
#define VAKA_ARGUMENTS_H

/* The one at an index, 0 being the program's name; NULL past the last. */
const char *_Nullable vaka_argument(int index);

#endif
