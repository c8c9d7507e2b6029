// SPDX-License-Identifier: Apache-2.0
import CElfutils
import Glibc

/// What the DWARF of a file holds, unit by unit, for people.
package struct DWARFSummary: Sendable, Hashable, Codable {
    /// The versions in use, ascending.
    package var versions: [Int]
    package var units: Int
    /// `C`, `C++`, `Rust`, `Swift` and others by number, sorted.
    package var languages: [String]
    /// Units whose source file is on this machine, of those looked at.
    package var sourcesFound: Int
    package var sourcesLookedAt: Int
    /// `.dwo` files that hold the debug information but are not there; the first few.
    package var missingSplitFiles: [String]
    /// The folder of the first unit's compilation.
    package var compilationFolder: String?

    private enum CodingKeys: String, CodingKey {
        case versions, units, languages
        case sourcesFound = "sources_found"
        case sourcesLookedAt = "sources_looked_at"
        case missingSplitFiles = "missing_split_files"
        case compilationFolder = "compilation_folder"
    }

    private static let maximumUnits = 1 << 20
    private static let maximumSources = 2000

    /// Nil when the file has no DWARF that can be read.
    package init?(path: String) {
        guard let file = try? ELFFile(path: path, mapped: true),
            let dwarf = dwarf_begin_elf(file.handle, DWARF_C_READ, nil)
        else { return nil }
        defer { dwarf_end(dwarf) }
        self.init(dwarf)
        if units == 0 { return nil }
    }

    private init(_ dwarf: OpaquePointer) {
        (versions, units, languages, sourcesFound, sourcesLookedAt, missingSplitFiles) = ([], 0, [], 0, 0, [])
        var found: (versions: Set<Int>, languages: Set<String>) = ([], [])
        var unit: OpaquePointer?
        var (version, type): (Dwarf_Half, UInt8) = (0, 0)
        var die = Dwarf_Die()
        while units < Self.maximumUnits, dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, nil) == 0 {
            guard type == UInt8(DW_UT_compile) || type == UInt8(DW_UT_skeleton) else { continue }
            units += 1
            found.versions.insert(Int(version))
            let language = dwarf_srclang(&die)
            if language > 0 { found.languages.insert(Self.name(language)) }
            noteFiles(&die, isSkeleton: type == UInt8(DW_UT_skeleton))
        }
        versions = found.versions.sorted()
        languages = found.languages.sorted()
    }

    private mutating func noteFiles(_ die: inout Dwarf_Die, isSkeleton: Bool) {
        let folder = Self.text(&die, DW_AT_comp_dir)
        if compilationFolder == nil { compilationFolder = folder }
        func place(_ name: String) -> String {
            name.hasPrefix("/") ? name : (folder.map { $0 + "/" } ?? "") + name
        }
        // A skeleton without code stands for a precompiled module.
        let hasCode = dwarf_hasattr(&die, UInt32(DW_AT_low_pc)) != 0 || dwarf_hasattr(&die, UInt32(DW_AT_ranges)) != 0
        if isSkeleton, hasCode, missingSplitFiles.count < 4,
            let name = Self.text(&die, DW_AT_dwo_name) ?? Self.text(&die, DW_AT_GNU_dwo_name),
            access(place(name), R_OK) != 0
        {
            missingSplitFiles.append(name)
        }
        guard hasCode, sourcesLookedAt < Self.maximumSources, let name = Self.text(&die, DW_AT_name) else { return }
        sourcesLookedAt += 1
        if access(place(name), R_OK) == 0 { sourcesFound += 1 }
    }

    private static func text(_ die: inout Dwarf_Die, _ attribute: Int) -> String? {
        var found = Dwarf_Attribute()
        guard dwarf_attr(&die, UInt32(attribute), &found) != nil, let text = dwarf_formstring(&found) else {
            return nil
        }
        return String(cString: text)
    }

    private static func name(_ language: Int32) -> String {
        switch Int(language) {
        case DW_LANG_C89, DW_LANG_C, DW_LANG_C99, DW_LANG_C11: "C"
        case DW_LANG_C_plus_plus, DW_LANG_C_plus_plus_03, DW_LANG_C_plus_plus_11, DW_LANG_C_plus_plus_14: "C++"
        case DW_LANG_Rust: "Rust"
        case DW_LANG_Swift: "Swift"
        case DW_LANG_Go: "Go"
        case DW_LANG_Mips_Assembler: "assembler"
        case 0x2A, 0x2B: "C++"  // C++17 and C++20, beyond this libdw's names
        case 0x2C: "C"  // C17
        default: "language \(language)"
        }
    }
}
