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
    /// The compilers with their versions, without their options; sorted, at most eight.
    package var producers: [String]
    /// Units whose source file is on this machine, of those looked at.
    package var sourcesFound: Int
    package var sourcesLookedAt: Int
    /// Units whose debug information is in `.dwo` files, and those of them whose file is not there.
    package var splitUnits: Int
    package var missingSplitUnits: Int
    /// Names of `.dwo` files that are not there; the first few.
    package var missingSplitFiles: [String]
    /// The folder of the first unit's compilation.
    package var compilationFolder: String?

    private enum CodingKeys: String, CodingKey {
        case versions, units, languages, producers
        case sourcesFound = "sources_found"
        case sourcesLookedAt = "sources_looked_at"
        case splitUnits = "split_units"
        case missingSplitUnits = "missing_split_units"
        case missingSplitFiles = "missing_split_files"
        case compilationFolder = "compilation_folder"
    }

    private static let maximumUnits = 1 << 20
    private static let maximumSources = 2000
    private static let mostProducers = 8

    /// Nil when the file has no DWARF that can be read.
    package init?(path: String) {
        guard let file = try? ELFFile(path: path, mapped: true),
            let dwarf = dwarf_begin_elf(file.handle, DWARF_C_READ, nil)
        else { return nil }
        defer { dwarf_end(dwarf) }
        self.init(dwarf, path: path)
        if units == 0 { return nil }
        // A package beside the program has them all.
        if access(path + ".dwp", R_OK) == 0 { (missingSplitUnits, missingSplitFiles) = (0, []) }
    }

    private init(_ dwarf: OpaquePointer, path: String) {
        (versions, units, languages, producers, sourcesFound, sourcesLookedAt) = ([], 0, [], [], 0, 0)
        (splitUnits, missingSplitUnits, missingSplitFiles) = (0, 0, [])
        let beside = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        var found: (versions: Set<Int>, languages: Set<String>, producers: Set<String>) = ([], [], [])
        var unit: OpaquePointer?
        var (version, type): (Dwarf_Half, UInt8) = (0, 0)
        var die = Dwarf_Die()
        while units < Self.maximumUnits, dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, nil) == 0 {
            guard type == UInt8(DW_UT_compile) || type == UInt8(DW_UT_skeleton) else { continue }
            units += 1
            found.versions.insert(Int(version))
            let language = dwarf_srclang(&die)
            if language > 0 { found.languages.insert(Self.name(language)) }
            if found.producers.count < Self.mostProducers, let name = Self.text(&die, DW_AT_producer) {
                found.producers.insert(Self.withoutOptions(name))
            }
            noteFiles(&die, isSkeleton: type == UInt8(DW_UT_skeleton), beside: beside)
        }
        producers = found.producers.sorted()
        versions = found.versions.sorted()
        languages = found.languages.sorted()
    }

    private mutating func noteFiles(_ die: inout Dwarf_Die, isSkeleton: Bool, beside: String) {
        let folder = Self.text(&die, DW_AT_comp_dir)
        if compilationFolder == nil { compilationFolder = folder }
        func place(_ name: String) -> String {
            name.hasPrefix("/") ? name : (folder.map { $0 + "/" } ?? "") + name
        }
        // A skeleton without code stands for a precompiled module.
        let hasCode = dwarf_hasattr(&die, UInt32(DW_AT_low_pc)) != 0 || dwarf_hasattr(&die, UInt32(DW_AT_ranges)) != 0
        if isSkeleton, hasCode,
            let name = Self.text(&die, DW_AT_dwo_name) ?? Self.text(&die, DW_AT_GNU_dwo_name)
        {
            splitUnits += 1
            if access(place(name), R_OK) != 0, access(beside + name, R_OK) != 0 {
                missingSplitUnits += 1
                if missingSplitFiles.count < 4 { missingSplitFiles.append(name) }
            }
        }
        guard hasCode, sourcesLookedAt < Self.maximumSources, let name = Self.text(&die, DW_AT_name) else { return }
        sourcesLookedAt += 1
        if access(place(name), R_OK) == 0 { sourcesFound += 1 }
    }

    /// gcc writes its options behind its name, clang where its source came from.
    private static func withoutOptions(_ producer: String) -> String {
        let ends = [" -", " (http", " (git"].compactMap { producer.firstRange(of: $0)?.lowerBound }
        return String(producer[..<(ends.min() ?? producer.endIndex)].prefix(100))
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
