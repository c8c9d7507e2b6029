// SPDX-License-Identifier: Apache-2.0
import CElfutils
import FoundationEssentials
import VakaModel

/// The process's memory as far as the core holds it.
struct CoreMemory: ProcessMemory {
    private struct Segment {
        var address: UInt64
        var fileOffset: UInt64
        /// Bytes that were dumped.
        var bytes: UInt64
    }

    private let file: CoreBytes
    private var segments: [Segment] = []

    init(file: CoreBytes) { self.file = file }

    mutating func add(_ header: Elf64_Phdr) {
        guard !header.p_vaddr.addingReportingOverflow(header.p_filesz).overflow, header.p_filesz > 0 else { return }
        segments.append(Segment(address: header.p_vaddr, fileOffset: header.p_offset, bytes: header.p_filesz))
    }

    /// To be called once all were added; lookups are by address.
    mutating func sort() {
        segments.sort { $0.address < $1.address }
    }

    private func segment(of address: UInt64) -> Segment? {
        var low = 0
        var high = segments.count
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].address <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0, address - segments[low - 1].address < segments[low - 1].bytes else { return nil }
        return segments[low - 1]
    }

    /// Up to `count` bytes from `address` on, to the end of its segment; nil where the core has none.
    private func slice(_ address: UInt64, _ count: UInt64) -> UnsafeRawBufferPointer? {
        guard let segment = segment(of: address) else { return nil }
        let skip = address - segment.address
        let (offset, overflow) = segment.fileOffset.addingReportingOverflow(skip)
        return overflow ? nil : file.slice(offset, min(count, segment.bytes - skip))
    }

    func bytes(_ address: UInt64, _ count: Int) -> [UInt8] {
        slice(address, UInt64(count)).map { Array($0) } ?? []
    }

    func region(_ address: UInt64, _ count: UInt64) -> MemoryRegion? {
        slice(address, count).map { MemoryRegion(address: HexAddress(address), data: Data($0)) }
    }
}
