/* SPDX-License-Identifier: Apache-2.0 */
/* By raw system calls: the threads that add breadcrumbs take figures too, and must not become cancellation points. */
#include "figures.h"
#include "checksum.h"
#include "system.h"
#include "writer.h"

#include <fcntl.h>
#include <string.h>

/* cgroup v1 says "no limit" by a number near the largest. */
#define NO_LIMIT ((uint64_t)1 << 60)

struct vaka_group_files vaka_async_group;

static char handler_text[VAKA_FIGURES_TEXT_BYTES];

/* The file's beginning, NUL-terminated. */
static bool read_text(const char *path, char *text, size_t size) {
    text[0] = 0;
    if (path[0] == 0)
        return false;
    long fd = vaka_async_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    if (fd < 0)
        return false;
    long got = vaka_async_read_fd((int)fd, text, size - 1);
    vaka_async_close((int)fd);
    text[got > 0 ? got : 0] = 0;
    return got > 0;
}

/* The number at the text's beginning, spaces before it skipped. */
static uint64_t number(const char *text) {
    while (*text == ' ' || *text == '\t')
        text++;
    if (*text < '0' || *text > '9')
        return VAKA_FIGURE_UNKNOWN;
    uint64_t value = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        if (value > (VAKA_FIGURE_UNKNOWN - 9) / 10)
            return VAKA_FIGURE_UNKNOWN;
        value = value * 10 + (uint64_t)(*text - '0');
    }
    return value;
}

/* The number that follows a label at the beginning of a line. */
static uint64_t labelled(const char *text, const char *label) {
    size_t length = strlen(label);
    size_t left = strlen(text);
    while (left > length) {
        if (memcmp(text, label, length) == 0)
            return number(text + length);
        const char *end = memchr(text, '\n', left);
        if (end == NULL)
            break;
        left -= (size_t)(end + 1 - text);
        text = end + 1;
    }
    return VAKA_FIGURE_UNKNOWN;
}

static uint64_t kibibytes(const char *text, const char *label) {
    uint64_t value = labelled(text, label);
    return value > VAKA_FIGURE_UNKNOWN / 1024 ? VAKA_FIGURE_UNKNOWN : value * 1024;
}

static uint64_t number_in(const char *path, char *text) {
    return read_text(path, text, VAKA_FIGURES_TEXT_BYTES) ? number(text) : VAKA_FIGURE_UNKNOWN;
}

void vaka_async_take_figures(struct vaka_figures *figures, char text[VAKA_FIGURES_TEXT_BYTES]) {
    memset(figures, 0, sizeof(*figures));
    figures->magic = VAKA_FIGURES_MAGIC;
    figures->realtime_ns = vaka_async_clock(CLOCK_REALTIME);
    figures->boottime_ns = vaka_async_clock(CLOCK_BOOTTIME);
    read_text("/proc/self/status", text, VAKA_FIGURES_TEXT_BYTES);
    figures->resident_bytes = kibibytes(text, "VmRSS:");
    figures->peak_resident_bytes = kibibytes(text, "VmHWM:");
    figures->swapped_bytes = kibibytes(text, "VmSwap:");
    figures->threads = labelled(text, "Threads:");
    figures->group_usage_bytes = number_in(vaka_async_group.usage, text);
    figures->group_limit_bytes = number_in(vaka_async_group.limit, text);
    if (figures->group_limit_bytes >= NO_LIMIT)
        figures->group_limit_bytes = VAKA_FIGURE_UNKNOWN;
    read_text(vaka_async_group.kills, text, VAKA_FIGURES_TEXT_BYTES);
    figures->group_kills = labelled(text, "oom_kill ");
}

void vaka_async_write_figures(void) {
    static struct vaka_figures figures;
    vaka_async_take_figures(&figures, handler_text);
    figures.crc = vaka_async_crc32(0, &figures, offsetof(struct vaka_figures, crc));
    vaka_async_section(VAKA_SECTION_FIGURES, &figures, sizeof(figures));
}
