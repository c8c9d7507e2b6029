// SPDX-License-Identifier: Apache-2.0
import CElfutils

/// One section header of an ELF file.
package struct ELFSection: Sendable {
    package var index: Int
    package var name: String
    package var type: UInt32
    package var flags: UInt64
    package var address: UInt64
    package var offset: UInt64
    package var size: UInt64
    package var link: Int
    package var entrySize: UInt64

    /// Occupies no bytes of the file.
    package var isEmpty: Bool { type == UInt32(SHT_NOBITS) || size == 0 }
    package var isAllocated: Bool { flags & UInt64(SHF_ALLOC) != 0 }
    package var isExecutable: Bool { flags & UInt64(SHF_EXECINSTR) != 0 }
    package var isCompressed: Bool { flags & UInt64(SHF_COMPRESSED) != 0 }

    /// The name without the `z` of the old GNU compression (`.zdebug_info` → `.debug_info`).
    package var plainName: String { name.hasPrefix(".zdebug_") ? "." + name.dropFirst(2) : name }
}

/// One PT_LOAD segment.
package struct ELFSegment: Sendable {
    package var address: UInt64
    package var memorySize: UInt64
    package var offset: UInt64
    package var fileSize: UInt64
    package var isExecutable: Bool

    /// Nil where it overflows.
    package var end: UInt64? {
        let (end, overflow) = address.addingReportingOverflow(memorySize)
        return overflow ? nil : end
    }
}
