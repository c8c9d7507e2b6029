// SPDX-License-Identifier: Apache-2.0
import CElfutils
package import DebugImages
package import SourceBundles

/// The source files that the line tables of an image name.
package struct SourceFileList: Sendable {
    /// Sorted by path.
    package let files: [SourceReference]

    private static let maximumUnits = 1 << 20
    private static let maximumFiles = 1 << 20

    /// Empty for an image without DWARF. Throws for what is no ELF file.
    package init(path: String) throws(DebugImageError) {
        let file = try ELFFile(path: path, mapped: true)
        guard let dwarf = dwarf_begin_elf(file.handle, DWARF_C_READ, nil) else {
            files = []
            return
        }
        defer { dwarf_end(dwarf) }
        let strings = LineStrings(
            strings: Self.section(".debug_str", of: file), lineStrings: Self.section(".debug_line_str", of: file))
        var found: [String: SourceReference] = [:]
        if let lines = Self.section(".debug_line", of: file) {
            Self.eachTable(of: dwarf) { offset, folder in
                guard found.count < Self.maximumFiles, let header = LineHeader(lines, at: offset, strings: strings)
                else {
                    return
                }
                Self.collect(header, folder, &found)
            }
        }
        files = found.values.sorted { $0.path < $1.path }
    }

    /// Each line table once: units of a file share theirs with their type units.
    private static func eachTable(of dwarf: OpaquePointer, _ body: (Int, String?) -> Void) {
        var seen: Set<Int> = []
        var unit: OpaquePointer?
        var (version, type): (Dwarf_Half, UInt8) = (0, 0)
        var die = Dwarf_Die()
        var count = 0
        while count < maximumUnits, dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, nil) == 0 {
            count += 1
            let entry = DIE(die)
            guard let offset = entry.number(DW_AT_stmt_list).flatMap({ Int(exactly: $0) }), seen.insert(offset).inserted
            else { continue }
            body(offset, entry.text(DW_AT_comp_dir))
        }
    }

    private static func collect(_ header: LineHeader, _ folder: String?, _ found: inout [String: SourceReference]) {
        let first = header.version >= 5 ? 0 : 1
        for index in header.files.indices {
            guard let written = header.path(index + first, compilationFolder: folder) else { continue }
            let path = SourcePath.normalized(written)
            // <stdin>, <built-in>, <compiler-generated>
            guard !path.hasSuffix(">") else { continue }
            var reference = found[path] ?? SourceReference(path: path, compilationFolder: folder)
            if let checksum = header.files[index].checksum { reference.checksums.insert(checksum) }
            found[path] = reference
        }
    }

    private static func section(_ name: String, of file: ELFFile) -> UnsafeRawBufferPointer? {
        file.sections.first { $0.plainName == name }.flatMap { file.contents($0) }
    }
}
