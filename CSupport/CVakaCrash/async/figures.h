/* SPDX-License-Identifier: Apache-2.0 */
/* What the process uses, and its control group: memory, threads, kills for memory. */
#ifndef VAKA_ASYNC_FIGURES_H
#define VAKA_ASYNC_FIGURES_H

#include "state.h"

#pragma GCC visibility push(hidden)

#define VAKA_GROUP_PATH_BYTES 512
#define VAKA_FIGURES_TEXT_BYTES 2048

/* The files of the control group that the process was in at install; "" where there are none. */
struct vaka_group_files {
    char usage[VAKA_GROUP_PATH_BYTES];
    char limit[VAKA_GROUP_PATH_BYTES];
    char kills[VAKA_GROUP_PATH_BYTES];
};

extern struct vaka_group_files vaka_async_group;

/* Fills in the figures, all but the generation and the checksum. `text` is room to read files into. */
void vaka_async_take_figures(struct vaka_figures *figures, char text[VAKA_FIGURES_TEXT_BYTES]);

/* Those at the crash, as a section. */
void vaka_async_write_figures(void);

#pragma GCC visibility pop
#endif
