// SPDX-License-Identifier: Apache-2.0
import CElfutils
import CoreFile

/// The headers of a core: what is in it, and in which order it will come.
struct CoreHead {
    /// Notes, or the contents of memory at an address.
    struct Part {
        var isNotes: Bool
        var offset: UInt64
        var bytes: UInt64
        var address: UInt64
    }

    private static let maximumHeaders: UInt64 = 300_000
    private static let headerBytes = MemoryLayout<Elf64_Ehdr>.size
    private static let entryBytes = MemoryLayout<Elf64_Phdr>.size
    /// e_phnum where the number does not fit it (elf(5)).
    private static let manyHeaders: UInt16 = 0xffff

    let machine: UInt16
    /// The name that documents have.
    let architecture: String
    private(set) var segments = CoreSegments()
    /// By their place in the core.
    private(set) var parts: [Part] = []

    init(_ stream: CoreStream) throws(CollectError) {
        let bytes = stream.read(Self.headerBytes)
        guard !bytes.isEmpty else {
            throw CollectError("standard input is empty: a core is expected there, as the kernel pipes it")
        }
        guard let header = bytes.value(Elf64_Ehdr.self, at: 0), bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46]),
            header.e_ident.4 == UInt8(ELFCLASS64), header.e_ident.5 == UInt8(ELFDATA2LSB),
            header.e_type == UInt16(ET_CORE), Int(header.e_phentsize) == Self.entryBytes
        else {
            throw CollectError("standard input is no ELF core (64-bit, little-endian)")
        }
        guard let architecture = CoreRegisters.architecture(header.e_machine) else {
            throw CollectError(
                "a core of a machine with ELF number \(header.e_machine); x86_64 and arm64 are supported")
        }
        machine = header.e_machine
        self.architecture = architecture
        guard stream.skip(to: header.e_phoff) else {
            throw CollectError("the core ends, or says that it does, within its headers")
        }
        readEntries(header, stream)
        parts.sort { $0.offset < $1.offset }
        segments.sort()
    }

    private mutating func readEntries(_ header: Elf64_Ehdr, _ stream: CoreStream) {
        var count = UInt64(header.e_phnum)
        var index: UInt64 = 0
        while index < min(count, Self.maximumHeaders) {
            guard let entry = stream.read(Self.entryBytes).value(Elf64_Phdr.self, at: 0) else { return }
            // The kernel writes the number behind the memory, but the notes right behind the entries.
            if index == 0, header.e_phnum == Self.manyHeaders, entry.p_offset > header.e_phoff {
                count = (entry.p_offset - header.e_phoff) / UInt64(Self.entryBytes)
            }
            take(entry)
            index += 1
        }
    }

    private mutating func take(_ entry: Elf64_Phdr) {
        let isNotes = entry.p_type == UInt32(PT_NOTE)
        guard isNotes || entry.p_type == UInt32(PT_LOAD) else { return }
        if !isNotes { segments.add(entry) }
        guard entry.p_filesz > 0, !entry.p_offset.addingReportingOverflow(entry.p_filesz).overflow,
            !entry.p_vaddr.addingReportingOverflow(entry.p_filesz).overflow
        else { return }
        parts.append(
            Part(isNotes: isNotes, offset: entry.p_offset, bytes: entry.p_filesz, address: entry.p_vaddr))
    }
}
