/* SPDX-License-Identifier: Apache-2.0 */
/* elfutils (libelf, libdw, libdwfl). Provider: libdw-dev, libelf-dev. */
#ifndef VAKA_CELFUTILS_SHIM_H
#define VAKA_CELFUTILS_SHIM_H
#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <libelf.h>
#endif
