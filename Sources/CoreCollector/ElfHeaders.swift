// SPDX-License-Identifier: Apache-2.0
import CElfutils
import CoreFile
import Glibc
import VakaModel

/// The headers of an ELF file that nobody vouches for, read bit by bit from an open descriptor.
struct ElfHeaders {
    private static let maximumHeaders: UInt16 = 128
    private static let noteBytes: UInt64 = 4096

    let header: Elf64_Ehdr
    let programHeaders: [Elf64_Phdr]
    let buildID: BuildID?

    /// Nil where it is no ELF file of 64 bits.
    init?(descriptor: Int32) {
        guard let header = Self.bytes(descriptor, 0, MemoryLayout<Elf64_Ehdr>.size).value(Elf64_Ehdr.self, at: 0),
            header.e_ident.0 == 0x7f, header.e_ident.1 == 0x45, header.e_ident.2 == 0x4c, header.e_ident.3 == 0x46,
            header.e_ident.4 == UInt8(ELFCLASS64), header.e_ident.5 == UInt8(ELFDATA2LSB),
            Int(header.e_phentsize) == MemoryLayout<Elf64_Phdr>.size
        else { return nil }
        self.header = header
        let count = Int(min(header.e_phnum, Self.maximumHeaders))
        let table = Self.bytes(descriptor, header.e_phoff, count * MemoryLayout<Elf64_Phdr>.size)
        let entries = (0..<count).compactMap {
            table.value(Elf64_Phdr.self, at: $0 * MemoryLayout<Elf64_Phdr>.size)
        }
        programHeaders = entries
        buildID =
            entries.lazy.filter { $0.p_type == UInt32(PT_NOTE) }
            .compactMap { ElfNotes.buildID(Self.bytes(descriptor, $0.p_offset, Int(min($0.p_filesz, Self.noteBytes)))) }
            .first
    }

    /// Bytes from the first loaded page to the end of the last segment; 0 where that makes no sense.
    var loadedBytes: UInt64 {
        let loads = programHeaders.filter { $0.p_type == UInt32(PT_LOAD) }
        guard let start = loads.first.map({ $0.p_vaddr & ~0xfff }),
            let end = loads.map({ $0.p_vaddr &+ $0.p_memsz }).max()
        else { return 0 }
        return end > start ? end - start : 0
    }

    /// Up to `count` bytes at `offset`; fewer, or none, past the file's end.
    static func bytes(_ descriptor: Int32, _ offset: UInt64, _ count: Int) -> [UInt8] {
        guard count > 0, let place = Int(exactly: offset) else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        var got: Int
        repeat { got = pread(descriptor, &bytes, count, place) } while got < 0 && errno == EINTR
        bytes.removeLast(count - max(0, got))
        return bytes
    }
}
