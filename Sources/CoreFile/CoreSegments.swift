// SPDX-License-Identifier: Apache-2.0
package import CElfutils

/// What was mapped in the process, whether or not the core has the contents.
package struct CoreSegments {
    package struct Segment {
        package var address: UInt64
        package var bytes: UInt64
        package var isReadable: Bool
        package var isWritable: Bool
        package var isExecutable: Bool

        package var end: UInt64 { address + bytes }
    }

    package private(set) var all: [Segment] = []

    package init() {}

    /// Ignores what would go past the end of the address space.
    package mutating func add(_ header: Elf64_Phdr) {
        let bytes = max(header.p_memsz, header.p_filesz)
        guard bytes > 0, !header.p_vaddr.addingReportingOverflow(bytes).overflow else { return }
        all.append(
            Segment(
                address: header.p_vaddr, bytes: bytes, isReadable: header.p_flags & UInt32(PF_R) != 0,
                isWritable: header.p_flags & UInt32(PF_W) != 0, isExecutable: header.p_flags & UInt32(PF_X) != 0))
    }

    /// To be called once all were added; lookups are by address.
    package mutating func sort() {
        all.sort { $0.address < $1.address }
    }

    package func segment(of address: UInt64) -> Segment? {
        var low = 0
        var high = all.count
        while low < high {
            let middle = (low + high) / 2
            if all[middle].address <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0, address - all[low - 1].address < all[low - 1].bytes else { return nil }
        return all[low - 1]
    }

    func isReadable(_ address: UInt64) -> Bool { segment(of: address)?.isReadable ?? false }
}
