// SPDX-License-Identifier: Apache-2.0
import CElfutils
import CZstd
import Glibc

/// A private mapping of an ELF file whose zstd sections are decompressed behind its end, their headers changed in the
/// mapping alone: the system's libelf reads no zstd.
final class ExpandedImage {
    let bytes: UnsafeMutableRawBufferPointer

    /// More debug information than any program has; a crafted size must not take the memory.
    private static let maximumSize: UInt64 = 8 << 30
    private static let alignment: UInt64 = 16

    private struct Part {
        var section: ELFSection
        var header: Elf64_Chdr
        var place: UInt64
    }

    /// Nil where there is nothing to expand, or it cannot be done: then the file is read as it is.
    init?(_ sections: [ELFSection], header: GElf_Ehdr, descriptor: Int32, fileSize: UInt64) {
        guard header.e_ident.4 == UInt8(ELFCLASS64), header.e_ident.5 == UInt8(ELFDATA2LSB),
            Int(header.e_shentsize) == MemoryLayout<Elf64_Shdr>.size
        else { return nil }
        let start = Self.aligned(fileSize, to: UInt64(getpagesize()))
        guard let (parts, total) = Self.plan(sections, descriptor, start: start), !parts.isEmpty,
            let size = Int(exactly: total),
            let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
            base != MAP_FAILED
        else { return nil }
        bytes = UnsafeMutableRawBufferPointer(start: base, count: size)
        let file = mmap(base, Int(fileSize), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, descriptor, 0)
        guard file != MAP_FAILED, parts.allSatisfy({ expand($0, tableOffset: header.e_shoff) }) else { return nil }
    }

    deinit {
        munmap(bytes.baseAddress, bytes.count)
    }

    /// The zstd sections and where each will stand; the mapping's size.
    private static func plan(
        _ sections: [ELFSection], _ descriptor: Int32, start: UInt64
    ) -> (parts: [Part], total: UInt64)? {
        var parts: [Part] = []
        var total = start
        for section in sections where section.isCompressed && !section.isEmpty {
            var header = Elf64_Chdr()
            let size = MemoryLayout<Elf64_Chdr>.size
            guard section.size > UInt64(size), let offset = Int(exactly: section.offset),
                pread(descriptor, &header, size, offset) == size, header.ch_type == ELFIdentifier.zstdCompression
            else { continue }
            parts.append(Part(section: section, header: header, place: total))
            guard header.ch_size <= maximumSize, total <= maximumSize else { return nil }
            total = aligned(total + header.ch_size, to: alignment)
        }
        return (parts, total)
    }

    private static func aligned(_ value: UInt64, to unit: UInt64) -> UInt64 { (value + unit - 1) / unit * unit }

    private func expand(_ part: Part, tableOffset: UInt64) -> Bool {
        let header = UInt64(MemoryLayout<Elf64_Chdr>.size)
        guard let base = bytes.baseAddress else { return false }
        let size = Int(part.header.ch_size)
        let written = ZSTD_decompress(
            base + Int(part.place), size, base + Int(part.section.offset + header), Int(part.section.size - header))
        guard ZSTD_isError(written) == 0, written == size else { return false }
        let entry = Int(tableOffset) + part.section.index * MemoryLayout<Elf64_Shdr>.size
        guard entry + MemoryLayout<Elf64_Shdr>.size <= bytes.count else { return false }
        var changed = bytes.loadUnaligned(fromByteOffset: entry, as: Elf64_Shdr.self)
        changed.sh_flags &= ~UInt64(SHF_COMPRESSED)
        changed.sh_offset = part.place
        changed.sh_size = part.header.ch_size
        changed.sh_addralign = part.header.ch_addralign
        bytes.storeBytes(of: changed, toByteOffset: entry, as: Elf64_Shdr.self)
        return true
    }
}
