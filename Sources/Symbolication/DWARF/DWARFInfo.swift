// SPDX-License-Identifier: Apache-2.0
import CElfutils
import DebugImages

/// The DWARF of one file: its units by address.
///
/// libdw's own address search trusts `.debug_aranges`, which Swift and clang do not write; the units' ranges are read here.
/// Not thread-safe.
final class DWARFInfo {
    private let handle: OpaquePointer
    private let file: ELFFile
    private let units: RangeTable<CompileUnit>
    /// Names of `.dwo` files that were not found; at most a few.
    private(set) var missingSplitFiles: [String] = []

    private static let maximumUnits = 1 << 20

    /// Nil when the file has no DWARF that libdw can read.
    init?(_ file: ELFFile, code: CodeMap) {
        guard let dwarf = dwarf_begin_elf(file.handle, DWARF_C_READ, nil) else { return nil }
        handle = dwarf
        self.file = file
        // Only now: libdw has decompressed what was compressed.
        let source = CompileUnit.LineSource(
            section: Self.section(".debug_line", of: file),
            strings: LineStrings(
                strings: Self.section(".debug_str", of: file), lineStrings: Self.section(".debug_line_str", of: file)),
            code: code)
        var found: [(Range<UInt64>, CompileUnit)] = []
        for unit in Self.units(dwarf, file, source, missing: &missingSplitFiles) {
            for range in unit.ranges { found.append((range, unit)) }
        }
        units = RangeTable(found)
    }

    deinit {
        dwarf_end(handle)
    }

    /// The units whose code holds an address, the likeliest first.
    func units(at address: UInt64) -> [CompileUnit] {
        units.values(at: address)
    }

    private static func section(_ name: String, of file: ELFFile) -> UnsafeRawBufferPointer? {
        file.sections.first { $0.plainName == name }.flatMap { file.contents($0) }
    }

    private static func units(
        _ dwarf: OpaquePointer, _ file: ELFFile, _ source: CompileUnit.LineSource, missing: inout [String]
    ) -> [CompileUnit] {
        var result: [CompileUnit] = []
        var unit: OpaquePointer?
        var (version, type): (Dwarf_Half, UInt8) = (0, 0)
        var die = Dwarf_Die()
        while result.count < maximumUnits,
            dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, nil) == 0
        {
            let entry = DIE(die)
            // A skeleton without code stands for a precompiled module, not for split-off debug information.
            let isSkeleton = type == UInt8(DW_UT_skeleton)
            if isSkeleton, !entry.hasCode { continue }
            guard isSkeleton || type == UInt8(DW_UT_compile), dwarf_tag(&die) != UInt32(DW_TAG_partial_unit) else {
                continue
            }
            let body = isSkeleton ? split(entry, unit, file) : nil
            if isSkeleton, body == nil, missing.count < 4, let name = SplitUnit.name(entry) { missing.append(name) }
            result.append(
                CompileUnit(die: entry, body: body, bodyIsMissing: isSkeleton && body == nil, source: source))
        }
        return result
    }

    private static func split(_ entry: DIE, _ unit: OpaquePointer?, _ file: ELFFile) -> DIE? {
        guard let unit, SplitUnit.isSafe(entry, beside: file.path) else { return nil }
        var body = Dwarf_Die()
        guard dwarf_cu_info(unit, nil, nil, nil, &body, nil, nil, nil) == 0, body.addr != nil else { return nil }
        return DIE(body)
    }
}
