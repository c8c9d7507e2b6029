// SPDX-License-Identifier: Apache-2.0
import CElfutils

/// Whether debug information can be read at all, told by its first unit.
enum DebugInfoProbe {
    /// Throws where `.debug_info` holds something that is no DWARF: such a file would name nothing, and its build id
    /// would keep the good one out of the store.
    static func check(path: String) throws(DebugImageError) {
        let file = try ELFFile(path: path, mapped: true)
        guard file.sections.contains(where: { $0.name == ".debug_info" && $0.size > 0 }) else { return }
        guard !hasUnit(file) else { return }
        throw DebugImageError(
            .malformed, path: path, "has damaged debug information (.debug_info); build or copy it again")
    }

    private static func hasUnit(_ file: ELFFile) -> Bool {
        guard let dwarf = dwarf_begin_elf(file.handle, DWARF_C_READ, nil) else { return false }
        defer { dwarf_end(dwarf) }
        var unit: OpaquePointer?
        var (version, type): (Dwarf_Half, UInt8) = (0, 0)
        var die = Dwarf_Die()
        return dwarf_get_units(dwarf, nil, &unit, &version, &type, &die, nil) == 0
    }
}
