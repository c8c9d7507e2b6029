// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What an ELF file is and what it can give, read from its headers alone.
package struct ELFIdentity: Hashable, Sendable, Codable {
    /// The header's type. A position-independent executable is `shared`, as in the header.
    package enum FileType: String, Hashable, Sendable, Codable {
        case executable, shared, relocatable, core, other
    }

    package var buildID: BuildID?
    /// `x86_64`, `arm64` or `other(N)` with the number of the ELF header.
    package var machine: String
    /// 32 or 64.
    package var bits: Int
    package var fileType: FileType
    /// The file holds what is loaded; false for a `.debug` companion, whose segments are empty.
    package var hasCode: Bool
    /// `.debug_info`, plain, compressed, or split off into `.dwo` form.
    package var hasDebugInfo: Bool
    package var hasLineTable: Bool
    package var hasSymbolTable: Bool
    package var hasDynamicSymbols: Bool
    /// `.eh_frame` with contents.
    package var hasUnwindTable: Bool
    /// `.debug_frame`, which debug companions may carry.
    package var hasDebugFrame: Bool
    /// `.gnu_debugdata`, a compressed symbol table in a stripped file.
    package var hasMiniDebugInfo: Bool
    /// How sections are compressed: `zlib`, `zstd`, `zlib-gnu` (the old `.zdebug_…`) or `type N`; sorted.
    package var compression: [String]
    /// Names of sections compressed in a way that is not read (neither zlib nor zstd).
    package var unreadableSections: [String]
    /// The linked address of the first loaded byte.
    package var firstLoadAddress: UInt64
    /// Bytes from there to the end of the last segment.
    package var loadedSize: UInt64
    /// The companion named by `.gnu_debuglink`, and its checksum.
    package var debugLink: String?
    package var debugLinkChecksum: UInt32?
    /// The common file named by `.gnu_debugaltlink`, and its build id.
    package var altLink: String?
    package var altLinkBuildID: BuildID?
    /// The file's own size in bytes.
    package var fileSize: UInt64

    /// How much the file says about names and lines, by its headers: DWARF with lines, DWARF, a symbol table, exported
    /// symbols, nothing.
    package var symbolRank: Int {
        if hasDebugInfo { return hasLineTable ? 4 : 3 }
        if hasSymbolTable { return 2 }
        return hasDynamicSymbols || hasMiniDebugInfo ? 1 : 0
    }

    private enum CodingKeys: String, CodingKey {
        case buildID = "build_id"
        case machine, bits
        case fileType = "file_type"
        case hasCode = "has_code"
        case hasDebugInfo = "has_debug_info"
        case hasLineTable = "has_line_table"
        case hasSymbolTable = "has_symbol_table"
        case hasDynamicSymbols = "has_dynamic_symbols"
        case hasUnwindTable = "has_unwind_table"
        case hasDebugFrame = "has_debug_frame"
        case hasMiniDebugInfo = "has_mini_debug_info"
        case compression
        case unreadableSections = "unreadable_sections"
        case firstLoadAddress = "first_load_address"
        case loadedSize = "loaded_size"
        case debugLink = "debug_link"
        case debugLinkChecksum = "debug_link_checksum"
        case altLink = "alt_link"
        case altLinkBuildID = "alt_link_build_id"
        case fileSize = "file_size"
    }
}
