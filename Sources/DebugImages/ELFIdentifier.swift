// SPDX-License-Identifier: Apache-2.0
import CElfutils
import Glibc
import VakaModel

/// Finds out what an ELF file is, from its headers and notes only: cheap also for very large files.
package enum ELFIdentifier {
    /// Any thread. Throws for whatever is no whole ELF file; the error says what it looks like and what to do.
    package static func identify(path: String) throws(DebugImageError) -> ELFIdentity {
        identity(of: try ELFFile(path: path))
    }

    package static func identity(of file: ELFFile) -> ELFIdentity {
        let sections = file.sections
        let names = Set(sections.filter { !$0.isEmpty }.map(\.plainName))
        let range = loadedRange(file.segments)
        let link = debugLink(file)
        let alternative = altLink(file)
        let hasCode = hasCode(file)
        return ELFIdentity(
            buildID: buildID(file), machine: machineName(file.machine), bits: file.is64Bit ? 64 : 32,
            fileType: fileType(file.type), hasCode: hasCode,
            hasDebugInfo: names.contains(".debug_info") || names.contains(".debug_info.dwo"),
            hasLineTable: names.contains(".debug_line"),
            hasSymbolTable: sections.contains { $0.type == UInt32(SHT_SYMTAB) && !$0.isEmpty },
            hasDynamicSymbols: sections.contains { $0.type == UInt32(SHT_DYNSYM) && !$0.isEmpty },
            hasUnwindTable: names.contains(".eh_frame") || (sections.isEmpty && file.hasUnwindHeader && hasCode),
            hasDebugFrame: names.contains(".debug_frame"), hasMiniDebugInfo: names.contains(".gnu_debugdata"),
            compression: Set(sections.compactMap { compression($0, file) }).sorted(),
            unreadableSections: sections.filter { isUnreadable($0, file) }.map(\.name),
            firstLoadAddress: range.start, loadedSize: range.size, debugLink: link?.name,
            debugLinkChecksum: link?.checksum, altLink: alternative?.name, altLinkBuildID: alternative?.buildID,
            fileSize: file.fileSize)
    }

    package static func machineName(_ machine: UInt16) -> String {
        switch Int32(machine) {
        case EM_X86_64: "x86_64"
        case EM_AARCH64: "arm64"
        default: "other(\(machine))"
        }
    }

    /// The machine of a report's architecture, by any of its usual names; nil for one that is not known.
    package static func machine(named architecture: String) -> String? {
        switch architecture {
        case "x86_64", "amd64": "x86_64"
        case "arm64", "aarch64": "arm64"
        default: nil
        }
    }

    private static func fileType(_ type: UInt16) -> ELFIdentity.FileType {
        switch Int32(type) {
        case ET_EXEC: .executable
        case ET_DYN: .shared
        case ET_REL: .relocatable
        case ET_CORE: .core
        default: .other
        }
    }

    /// Debug companions keep the allocated sections' headers, but as NOBITS (their notes stay).
    private static func hasCode(_ file: ELFFile) -> Bool {
        guard Int32(file.type) == ET_EXEC || Int32(file.type) == ET_DYN else { return false }
        let allocated = file.sections.filter { $0.isAllocated && $0.type != UInt32(SHT_NOTE) }
        if !allocated.isEmpty { return allocated.contains { !$0.isEmpty } }
        return file.segments.contains { $0.fileSize > 0 && $0.offset < file.fileSize }
    }

    private static func loadedRange(_ segments: [ELFSegment]) -> (start: UInt64, size: UInt64) {
        guard let start = segments.map(\.address).min() else { return (0, 0) }
        let end = segments.compactMap(\.end).max() ?? start
        return (start, end >= start ? end - start : 0)
    }

    private static func buildID(_ file: ELFFile) -> BuildID? {
        var bytes: UnsafeRawPointer?
        let length = dwelf_elf_gnu_build_id(file.handle, &bytes)
        guard length > 0, let bytes else { return nil }
        return BuildID(bytes: UnsafeRawBufferPointer(start: bytes, count: length))
    }

    private static func debugLink(_ file: ELFFile) -> (name: String, checksum: UInt32)? {
        var checksum: GElf_Word = 0
        guard let name = dwelf_elf_gnu_debuglink(file.handle, &checksum) else { return nil }
        return (String(cString: name), checksum)
    }

    private static func altLink(_ file: ELFFile) -> (name: String, buildID: BuildID?)? {
        guard let section = file.section(".gnu_debugaltlink"), let bytes = file.contents(section),
            let end = bytes.firstIndex(of: 0), end > 0
        else { return nil }
        return (String(decoding: bytes[..<end], as: UTF8.self), BuildID(bytes: bytes[(end + 1)...]))
    }

    /// ELFCOMPRESS_ZSTD, beyond the names that this libelf knows.
    static let zstdCompression: UInt32 = 2

    private static func compression(_ section: ELFSection, _ file: ELFFile) -> String? {
        if !section.isEmpty, section.name.hasPrefix(".zdebug_") { return "zlib-gnu" }
        guard section.isCompressed, let scn = elf_getscn(file.handle, section.index) else { return nil }
        var header = GElf_Chdr()
        guard gelf_getchdr(scn, &header) != nil else { return "damaged" }
        switch header.ch_type {
        case UInt32(ELFCOMPRESS_ZLIB): return "zlib"
        case zstdCompression: return "zstd"
        default: return "type \(header.ch_type)"
        }
    }

    /// Compressed in a way that is neither zlib nor zstd.
    private static func isUnreadable(_ section: ELFSection, _ file: ELFFile) -> Bool {
        guard let way = compression(section, file) else { return false }
        return way == "damaged" || way.hasPrefix("type ")
    }
}
