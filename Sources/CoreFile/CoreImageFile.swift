// SPDX-License-Identifier: Apache-2.0
import CElfutils
import FoundationEssentials
import VakaModel

/// An image of a report with its file: where the file's parts lay in the process.
struct CoreImageFile {
    /// As the core tells it.
    let path: String
    let header: Elf64_Ehdr
    /// Actual minus linked address.
    let bias: UInt64
    private let file: CoreBytes
    private let programHeaders: [Elf64_Phdr]

    private static let maximumHeaders: UInt16 = 128
    private static let pageMask: UInt64 = 0xfff
    /// Of the headers, and of each note.
    private static let maximumBytes: UInt64 = 4096

    /// Nil where the file is no 64-bit ELF file of that machine.
    ///
    /// - Parameter name: what the core calls it; nil for `path`.
    init?(path: String, image: DebugImage, machine: UInt16, name: String? = nil) {
        guard let file = try? CoreBytes(path: path), let header = file.value(Elf64_Ehdr.self, at: 0),
            file.value(UInt32.self, at: 0) == 0x464c_457f, header.e_ident.4 == UInt8(ELFCLASS64),
            header.e_ident.5 == UInt8(ELFDATA2LSB), header.e_machine == machine,
            Int(header.e_phentsize) == MemoryLayout<Elf64_Phdr>.size, header.e_phnum <= Self.maximumHeaders
        else { return nil }
        programHeaders = (0..<UInt64(header.e_phnum)).compactMap { index in
            file.value(Elf64_Phdr.self, at: header.e_phoff &+ index &* UInt64(header.e_phentsize))
        }
        guard let first = programHeaders.first(where: { $0.p_type == UInt32(PT_LOAD) }) else { return nil }
        self.path = name ?? path
        self.file = file
        self.header = header
        bias = image.loadBias?.rawValue ?? image.imageAddress.rawValue &- (first.p_vaddr & ~Self.pageMask)
    }

    var entry: UInt64 { bias &+ header.e_entry }

    /// Where the program headers lay; nil where no segment held them.
    var headersAddress: UInt64? {
        loads.first { $0.p_offset <= header.e_phoff && header.e_phoff - $0.p_offset < $0.p_filesz }
            .map { bias &+ $0.p_vaddr &+ (header.e_phoff - $0.p_offset) }
    }

    var interpreter: String? {
        contents(UInt32(PT_INTERP)).map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    var dynamicSection: (address: UInt64, data: Data)? {
        guard let header = programHeaders.first(where: { $0.p_type == UInt32(PT_DYNAMIC) }),
            let data = contents(UInt32(PT_DYNAMIC))
        else { return nil }
        return (bias &+ header.p_vaddr, data)
    }

    /// The mapping of each segment that has bytes in the file, in whole pages.
    var mappings: [CoreNotes.MappedFile] {
        loads.compactMap { load in
            let start = (bias &+ load.p_vaddr) & ~Self.pageMask
            let end = (bias &+ load.p_vaddr &+ load.p_filesz &+ Self.pageMask) & ~Self.pageMask
            guard start < end else { return nil }
            return CoreNotes.MappedFile(
                start: start, end: end, fileOffset: load.p_offset & ~Self.pageMask, path: path)
        }
    }

    /// The ELF header with the program headers, and the notes with the build id: what tells a debugger which file it was.
    var identifyingMemory: [(address: UInt64, data: Data)] {
        let first = loads.first { $0.p_offset == 0 }.map { ($0, UInt64(0), min($0.p_filesz, Self.maximumBytes)) }
        let notes = programHeaders.filter { $0.p_type == UInt32(PT_NOTE) }
            .map { ($0, $0.p_offset, min($0.p_filesz, Self.maximumBytes)) }
        return ((first.map { [$0] } ?? []) + notes).compactMap { header, offset, count in
            file.slice(offset, count).map { (bias &+ header.p_vaddr, Data($0)) }
        }
    }

    private var loads: [Elf64_Phdr] {
        programHeaders.filter { $0.p_type == UInt32(PT_LOAD) && $0.p_filesz > 0 }
    }

    private func contents(_ type: UInt32) -> Data? {
        guard let header = programHeaders.first(where: { $0.p_type == type }) else { return nil }
        return file.slice(header.p_offset, min(header.p_filesz, Self.maximumBytes)).map { Data($0) }
    }
}
