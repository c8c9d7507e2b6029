// SPDX-License-Identifier: Apache-2.0
import CVakaRecord

/// One section whose header and payload passed their checksums.
package struct RecordSection: Sendable {
    package let kind: UInt16
    package let version: UInt16
    package let sequence: UInt32
    /// Of the section's header in the file.
    package let offset: Int
    package let payload: ArraySlice<UInt8>

    /// The name of its kind; nil for one of a later version.
    package var name: String? { Self.names[Int(kind)] }

    package static let names: [Int: String] = [
        1: "reason", 2: "run", 3: "context", 4: "breadcrumbs", 5: "thread", 6: "frames", 7: "stack", 8: "memory",
        9: "images", 10: "text", 11: "loss", 12: "end", 13: "sender", 14: "snapshot", 15: "figures",
        16: "exchanges",
    ]

    func isKind(_ kind: vaka_section_kind) -> Bool { self.kind == UInt16(truncatingIfNeeded: kind.rawValue) }
}

/// A part of the file that could not be used.
package struct RecordDamage: Hashable, Sendable, CustomStringConvertible {
    package let offset: Int
    package let bytes: Int
    package let why: String

    package var description: String { "\(bytes) bytes at offset \(offset): \(why)" }
}
