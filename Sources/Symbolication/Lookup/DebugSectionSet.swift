// SPDX-License-Identifier: Apache-2.0
import CElfutils
import CVakaSymbols
import DebugImages

/// The sections of a file in the form that the readers take.
enum DebugSectionSet {
    private static let names: [(index: vaka_section, name: String)] = [
        (VAKA_SECTION_INFO, ".debug_info"), (VAKA_SECTION_ABBREV, ".debug_abbrev"), (VAKA_SECTION_STR, ".debug_str"),
        (VAKA_SECTION_LINE, ".debug_line"), (VAKA_SECTION_LINE_STR, ".debug_line_str"),
        (VAKA_SECTION_STR_OFFSETS, ".debug_str_offsets"), (VAKA_SECTION_ADDR, ".debug_addr"),
        (VAKA_SECTION_RANGES, ".debug_ranges"), (VAKA_SECTION_RNGLISTS, ".debug_rnglists"),
    ]

    static func plain(_ file: DebugSections) -> vaka_sections {
        sections { file.bytes($0) }
    }

    /// Of a `.dwo` file or a package.
    static func split(_ file: DebugSections) -> vaka_sections {
        var result = sections { file.bytes($0 + ".dwo") }
        set(&result, VAKA_SECTION_CU_INDEX, file.bytes(".debug_cu_index"))
        return result
    }

    /// The symbol table, or else the one of exported symbols.
    static func symbols(_ file: DebugSections) -> vaka_symbol_table {
        symbols(file.sections) { file.raw($0) }
    }

    static func symbols(_ file: ELFFile) -> vaka_symbol_table {
        symbols(file.sections) { file.contents($0) }
    }

    private static func symbols(
        _ sections: [ELFSection], _ contents: (ELFSection) -> UnsafeRawBufferPointer?
    ) -> vaka_symbol_table {
        let tables = [UInt32(SHT_SYMTAB), UInt32(SHT_DYNSYM)].compactMap { type in
            sections.first { $0.type == type && !$0.isEmpty }
        }
        guard let table = tables.first, let strings = sections.first(where: { $0.index == table.link }) else {
            return vaka_symbol_table()
        }
        return vaka_symbol_table(symbols: bytes(contents(table)), strings: bytes(contents(strings)))
    }

    private static func sections(_ find: (String) -> UnsafeRawBufferPointer?) -> vaka_sections {
        var result = vaka_sections()
        for (index, name) in names { set(&result, index, find(name)) }
        return result
    }

    private static func set(_ sections: inout vaka_sections, _ index: vaka_section, _ found: UnsafeRawBufferPointer?) {
        withUnsafeMutableBytes(of: &sections.section) { space in
            space.bindMemory(to: vaka_bytes.self)[Int(index.rawValue)] = bytes(found)
        }
    }

    private static func bytes(_ found: UnsafeRawBufferPointer?) -> vaka_bytes {
        vaka_bytes(start: found?.bindMemory(to: UInt8.self).baseAddress, size: found?.count ?? 0)
    }
}
