// SPDX-License-Identifier: Apache-2.0

/// How much of an image's code its parts speak of, in bytes.
package struct ImageCoverage: Sendable, Hashable, Codable {
    /// The size of `.text` (and `.text.…`); of all code where a file has no section of that name.
    package var text: UInt64
    /// Code of compilation units; nil without DWARF.
    package var units: UInt64?
    /// Code of functions that the DWARF names; nil without DWARF. Functions in `.dwo` files are not among them.
    package var functions: UInt64?
    /// Code with a line other than 0; nil without a line table.
    package var lines: UInt64?
    /// Code with a frame description in `.eh_frame`; nil without one.
    package var ehFrame: UInt64?
    /// Code with a frame description in `.debug_frame`; nil without one.
    package var debugFrame: UInt64?

    private enum CodingKeys: String, CodingKey {
        case text, units, functions, lines
        case ehFrame = "eh_frame"
        case debugFrame = "debug_frame"
    }

    /// Reads the whole debug information: takes time and memory as it is large. Nil where the file cannot be read or has
    /// no code. Any thread.
    package init?(path: String) {
        guard let file = try? ELFFile(path: path, mapped: true) else { return nil }
        var code = Self.text(file)
        text = code.count()
        guard text > 0 else { return nil }
        let names = Set(file.sections.filter { !$0.isEmpty }.map(\.plainName))
        if names.contains(".debug_info"), var found = DWARFCoverage(file) {
            units = found.units.count(within: &code)
            functions = found.functions.count(within: &code)
            if names.contains(".debug_line") { lines = found.lines.count(within: &code) }
        }
        if names.contains(".eh_frame") { ehFrame = Self.described(file, ".eh_frame", &code) }
        if names.contains(".debug_frame") { debugFrame = Self.described(file, ".debug_frame", &code) }
    }

    /// A share in per cent, rounded down, so that only all of it is 100.
    package func percent(_ part: UInt64) -> Double {
        guard text > 0 else { return 0 }
        return Double(text.dividingFullWidth(min(part, text).multipliedFullWidth(by: 1000)).quotient) / 10
    }

    /// Whether a part speaks of as much of the code as is usual: at least `percent` of it, or all but some start-up code.
    package func isUsual(_ part: UInt64, percent: Double) -> Bool {
        self.percent(part) >= percent || text - min(part, text) <= Self.startUpCode
    }

    /// What crt1.o and crtbegin.o bring along, which nobody compiles with -g.
    private static let startUpCode: UInt64 = 512

    private static func text(_ file: ELFFile) -> AddressRanges {
        let code = file.sections.filter { $0.isAllocated && $0.isExecutable }
        let named = code.filter { $0.name == ".text" || $0.name.hasPrefix(".text.") }
        let found = (named.isEmpty ? code : named).map { ($0.address, $0.size) }
        let segments = file.segments.filter(\.isExecutable).map { ($0.address, $0.memorySize) }
        return AddressRanges((found.isEmpty ? segments : found).compactMap(range))
    }

    private static func range(_ start: UInt64, _ size: UInt64) -> Range<UInt64>? {
        let (end, overflow) = start.addingReportingOverflow(size)
        return overflow ? nil : start..<end
    }

    private static func described(_ file: ELFFile, _ name: String, _ code: inout AddressRanges) -> UInt64? {
        guard let section = file.sections.first(where: { $0.plainName == name && !$0.isEmpty }) else { return nil }
        var found = FrameTable(file, section).ranges
        return found.count(within: &code)
    }
}
