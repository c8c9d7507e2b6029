// SPDX-License-Identifier: Apache-2.0
import CElfutils
import FoundationEssentials
import TestSupport

/// A core made larger: a real one with another piece of memory between its own, as of a large heap.
struct SyntheticCore {
    /// What comes before and after the contents of the large piece.
    let before: String
    let after: String
    let heapBytes: UInt64

    /// Lies where no program has anything, below the libraries.
    private static let heapAddress: UInt64 = 0x6000_0000_0000
    private static let page: UInt64 = 4096

    /// Writes both parts into `folder`.
    init(_ core: String, heapBytes: UInt64, in folder: TemporaryFolder) throws {
        let source = try Data(contentsOf: URL(filePath: core))
        let header = Self.value(Elf64_Ehdr.self, source, 0)
        let entries = (0..<Int(header.e_phnum)).map {
            Self.value(Elf64_Phdr.self, source, Int(header.e_phoff) + 56 * $0)
        }
        var heap = Elf64_Phdr()
        (heap.p_type, heap.p_flags, heap.p_vaddr) = (UInt32(PT_LOAD), UInt32(PF_R | PF_W), Self.heapAddress)
        (heap.p_filesz, heap.p_memsz) = (heapBytes, heapBytes)
        let loads = entries.filter { $0.p_type == UInt32(PT_LOAD) }
        let order =
            entries.filter { $0.p_type == UInt32(PT_NOTE) } + loads.filter { $0.p_vaddr < Self.heapAddress } + [heap]
            + loads.filter { $0.p_vaddr > Self.heapAddress }
        var (heads, bodies) = (Data(), [Data(), Data()])
        var offset = (UInt64(64 + 56 * order.count) + Self.page - 1) / Self.page * Self.page
        bodies[0].append(Data(count: Int(offset) - 64 - 56 * order.count))
        var part = 0
        for entry in order {
            var placed = entry
            placed.p_offset = offset
            withUnsafeBytes(of: placed) { heads.append(contentsOf: $0) }
            offset += entry.p_filesz
            if entry.p_vaddr == Self.heapAddress {
                part = 1
            } else if entry.p_filesz > 0 {
                bodies[part].append(source[Int(entry.p_offset)..<Int(entry.p_offset + entry.p_filesz)])
            }
        }
        var changed = header
        (changed.e_phoff, changed.e_phnum, changed.e_shnum) = (64, UInt16(order.count), 0)
        before = folder.path + "/before"
        after = folder.path + "/after"
        self.heapBytes = heapBytes
        try (withUnsafeBytes(of: changed) { Data($0) } + heads + bodies[0]).write(to: URL(filePath: before))
        try bodies[1].write(to: URL(filePath: after))
    }

    /// For a shell; never on a disk.
    var producer: String { "(cat \(before); head -c \(heapBytes) /dev/zero; cat \(after))" }

    private static func value<Value: BitwiseCopyable>(_ type: Value.Type, _ data: Data, _ offset: Int) -> Value {
        data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
    }
}
