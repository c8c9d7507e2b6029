/* SPDX-License-Identifier: Apache-2.0 */
#include "../dwarf/lines.h"
#include "debug.h"
#include "names.h"

static bool visit_table(const struct vaka_line_header *header, const struct vaka_unit *unit, vaka_source_visitor visit,
                        void *context) {
    for (uint32_t index = 0; index < header->files.count; index++) {
        const struct vaka_line_file *file = &header->files.items[index];
        bool is_relative;
        struct vaka_source_file found = {.folder = vaka_line_folder(header, file, &is_relative),
                                         .name = file->name,
                                         .compilation_folder = unit->folder,
                                         .md5 = file->md5};
        found.is_relative = is_relative;
        if (file->name.size > 0 && !visit(context, &found)) {
            return false;
        }
    }
    return true;
}

void vaka_debug_source_files(const struct vaka_debug *debug, vaka_source_visitor visit, void *context) {
    struct vaka_number_table seen = {0};
    struct vaka_line_header header = {0};
    for (uint32_t index = 0; index < debug->units.count; index++) {
        const struct vaka_unit *unit = &debug->units.items[index];
        if (!unit->has_stmt_list) {
            continue;
        }
        /* Units share tables. */
        struct vaka_number_slot *slot = vaka_number_table_slot(&seen, unit->stmt_list + 1);
        if (slot == NULL) {
            break;
        }
        if (slot->number++ > 0) {
            continue;
        }
        if (vaka_line_header_read(&header, unit, unit->sections->section[VAKA_SECTION_LINE], unit->stmt_list) &&
            !visit_table(&header, unit, visit, context)) {
            break;
        }
    }
    vaka_line_header_release(&header);
    vaka_number_table_release(&seen);
}
