/* SPDX-License-Identifier: Apache-2.0 */
#include "writer.h"
#include "checksum.h"
#include "reader.h"
#include "state.h"
#include "system.h"

#include <errno.h>
#include <string.h>

#define STAGING 32768u

static struct {
    int fd;
    uint8_t *memory; /* the file's first `capacity` bytes, mapped; NULL: it is written by pwrite */
    uint64_t limit;
    uint64_t capacity;
    uint64_t flushed; /* the file's offset of the first staged byte */
    uint32_t staged;
    uint32_t sections;
    uint32_t sections_flushed;
    uint64_t ended_start; /* of the last section that was completed, */
    uint16_t ended_kind;
    uint64_t flushed_start; /* and of the last one that was written */
    uint16_t flushed_kind;
    bool is_open;
    uint16_t kind;
    uint64_t start; /* the file's offset of the open section's header */
    uint64_t payload;
    uint64_t refused; /* bytes that did not fit */
    uint32_t crc;
    int error;
    uint8_t staging[STAGING];
} writer;

static int write_all(const uint8_t *bytes, size_t count, uint64_t offset) {
    if (writer.memory != NULL) {
        if (offset > writer.capacity || count > writer.capacity - offset)
            return EFBIG;
        memcpy(writer.memory + offset, bytes, count);
        return 0;
    }
    while (count > 0) {
        long written = vaka_async_pwrite(writer.fd, bytes, count, offset);
        if (written == -EINTR)
            continue;
        if (written <= 0)
            return written == 0 ? EIO : (int)-written;
        bytes += written;
        count -= (size_t)written;
        offset += (uint64_t)written;
    }
    return 0;
}

bool vaka_async_writer_flush(void) {
    int error = write_all(writer.staging, writer.staged, writer.flushed);
    if (error != 0) {
        if (writer.error == 0)
            writer.error = error;
        if (!writer.is_open) {
            vaka_async_add_loss(VAKA_LOSS_WRITE, writer.kind, (uint64_t)error);
            writer.error = 0;
            /* What does not fit is given up, so that the end, which is small, still may. */
            writer.staged = 0;
            writer.sections = writer.sections_flushed;
        }
        return false;
    }
    writer.sections_flushed = writer.sections;
    writer.flushed_start = writer.ended_start;
    writer.flushed_kind = writer.ended_kind;
    writer.flushed += writer.staged;
    writer.staged = 0;
    return true;
}

void vaka_async_writer_drop_last(void) {
    if (writer.sections == 0 || writer.flushed_start == 0)
        return;
    vaka_async_add_loss(VAKA_LOSS_WRITE, writer.flushed_kind, ENOSPC);
    writer.flushed = writer.flushed_start;
    writer.flushed_start = 0;
    writer.staged = 0;
    writer.sections--;
    writer.sections_flushed = writer.sections;
}

bool vaka_async_writer_begin(const struct vaka_record_file *file, const void *header, size_t header_bytes) {
    uint64_t capacity = file->capacity;
    writer.fd = file->fd;
    writer.memory = file->memory;
    writer.capacity = capacity;
    uint64_t reserve = capacity / 4 < VAKA_RECORD_RESERVE ? capacity / 4 : VAKA_RECORD_RESERVE;
    writer.limit = capacity - reserve;
    writer.flushed = 0;
    writer.sections = 0;
    writer.sections_flushed = 0;
    writer.ended_start = 0;
    writer.flushed_start = 0;
    writer.is_open = false;
    writer.error = 0;
    memcpy(writer.staging, header, header_bytes);
    writer.staged = (uint32_t)header_bytes;
    int error = write_all(writer.staging, writer.staged, 0);
    writer.flushed = header_bytes;
    writer.staged = 0;
    return error == 0;
}

void vaka_async_section_begin(uint16_t kind) {
    if (writer.is_open)
        vaka_async_section_abandon();
    if (STAGING - writer.staged < sizeof(struct vaka_section_header))
        vaka_async_writer_flush();
    writer.kind = kind;
    writer.start = writer.flushed + writer.staged;
    writer.payload = 0;
    writer.refused = 0;
    writer.crc = 0;
    writer.error = 0;
    writer.is_open = true;
    if (STAGING - writer.staged < sizeof(struct vaka_section_header)) {
        writer.error = EIO;
        return;
    }
    memset(writer.staging + writer.staged, 0, sizeof(struct vaka_section_header));
    writer.staged += (uint32_t)sizeof(struct vaka_section_header);
}

/* Room for a part of `count` bytes, or 0 when the section has failed. */
static size_t stage_room(size_t count) {
    if (writer.error != 0 || writer.refused != 0)
        return 0;
    if (writer.staged == STAGING) {
        vaka_async_writer_flush();
        if (writer.error != 0)
            return 0;
    }
    size_t room = STAGING - writer.staged;
    return count < room ? count : room;
}

static bool fits(size_t count) {
    uint64_t end = writer.flushed + writer.staged + count + VAKA_RECORD_ALIGNMENT;
    if (writer.refused == 0 && end <= writer.limit)
        return true;
    writer.refused += count;
    return false;
}

static void staged_more(size_t count) {
    writer.crc = vaka_async_crc32(writer.crc, writer.staging + writer.staged, count);
    writer.staged += (uint32_t)count;
    writer.payload += count;
}

void vaka_async_section_append(const void *bytes, size_t count) {
    const uint8_t *from = bytes;
    if (!fits(count))
        return;
    while (count > 0) {
        size_t part = stage_room(count);
        if (part == 0)
            return;
        memcpy(writer.staging + writer.staged, from, part);
        staged_more(part);
        from += part;
        count -= part;
    }
}

void vaka_async_section_append_memory(uint64_t address, size_t count, vaka_async_filter *filter) {
    if (!fits(count))
        return;
    while (count > 0) {
        size_t part = stage_room(count);
        if (part == 0)
            return;
        uint8_t *to = writer.staging + writer.staged;
        size_t got = vaka_async_read_some(address, to, part);
        if (got < part)
            memset(to + got, 0, part - got);
        if (filter != NULL)
            filter(address, to, part);
        staged_more(part);
        address += part;
        count -= part;
    }
}

void vaka_async_section_pad(void) {
    static const uint8_t zeros[VAKA_RECORD_ALIGNMENT];
    size_t over = writer.payload % VAKA_RECORD_ALIGNMENT;
    if (over != 0)
        vaka_async_section_append(zeros, VAKA_RECORD_ALIGNMENT - over);
}

void vaka_async_section_abandon(void) {
    if (!writer.is_open)
        return;
    writer.is_open = false;
    if (writer.start >= writer.flushed) {
        writer.staged = (uint32_t)(writer.start - writer.flushed);
    } else {
        writer.flushed = writer.start;
        writer.staged = 0;
    }
}

static void put_header(void) {
    struct vaka_section_header header = {
        .magic = VAKA_SECTION_MAGIC,
        .kind = writer.kind,
        .version = 1,
        .sequence = writer.sections,
        .payload_crc = writer.crc,
        .payload_bytes = writer.payload,
    };
    header.header_crc = vaka_async_crc32(0, &header, offsetof(struct vaka_section_header, header_crc));
    if (writer.start >= writer.flushed) {
        memcpy(writer.staging + (writer.start - writer.flushed), &header, sizeof(header));
    } else {
        writer.error = write_all((const uint8_t *)&header, sizeof(header), writer.start);
    }
}

/* The padding after the payload belongs to no checksum. */
static void pad_file(void) {
    size_t over = writer.payload % VAKA_RECORD_ALIGNMENT;
    size_t padding = over == 0 ? 0 : VAKA_RECORD_ALIGNMENT - over;
    if (STAGING - writer.staged < padding)
        vaka_async_writer_flush();
    if (writer.error != 0)
        return;
    memset(writer.staging + writer.staged, 0, padding);
    writer.staged += (uint32_t)padding;
}

void vaka_async_section_end(void) {
    if (!writer.is_open)
        return;
    if (writer.refused == 0 && writer.error == 0)
        pad_file();
    if (writer.refused == 0 && writer.error == 0)
        put_header();
    if (writer.refused != 0) {
        vaka_async_add_loss(VAKA_LOSS_SPACE, writer.kind, writer.payload + writer.refused);
        vaka_async_section_abandon();
    } else if (writer.error != 0) {
        vaka_async_add_loss(VAKA_LOSS_WRITE, writer.kind, (uint64_t)writer.error);
        vaka_async_section_abandon();
    } else {
        writer.is_open = false;
        writer.ended_start = writer.start;
        writer.ended_kind = writer.kind;
        writer.sections++;
    }
    writer.error = 0;
    writer.refused = 0;
}

void vaka_async_section(uint16_t kind, const void *payload, size_t bytes) {
    vaka_async_section_begin(kind);
    vaka_async_section_append(payload, bytes);
    vaka_async_section_end();
}

uint64_t vaka_async_writer_room(void) {
    uint64_t used = writer.flushed + writer.staged;
    return used < writer.limit ? writer.limit - used : 0;
}

uint64_t vaka_async_writer_capacity(void) {
    return writer.capacity;
}

void vaka_async_writer_set_capacity(uint64_t capacity) {
    writer.limit += capacity - writer.capacity;
    writer.capacity = capacity;
}

int vaka_async_writer_fd(void) {
    return writer.fd;
}

void vaka_async_writer_use_reserve(void) {
    writer.limit = writer.capacity;
}

uint64_t vaka_async_writer_bytes(void) {
    return writer.flushed + writer.staged;
}

uint32_t vaka_async_writer_sections(void) {
    return writer.sections;
}
