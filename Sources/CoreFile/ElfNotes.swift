// SPDX-License-Identifier: Apache-2.0
import CElfutils
package import VakaModel

/// The notes of a segment, one after the other, up to the first that is torn. 4-byte alignment, as the kernel writes.
package struct ElfNotes: Sequence, IteratorProtocol {
    package struct Note {
        var name: UnsafeRawBufferPointer
        var type: UInt32
        var description: UnsafeRawBufferPointer
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The GNU build id among the notes of a segment.
    package static func buildID(_ bytes: [UInt8]) -> BuildID? {
        bytes.withUnsafeBytes { buffer in
            let note = ElfNotes(buffer).first {
                $0.type == UInt32(NT_GNU_BUILD_ID) && $0.name.elementsEqual("GNU\0".utf8)
            }
            return note.flatMap { BuildID(bytes: Array($0.description)) }
        }
    }

    package mutating func next() -> Note? {
        guard let nameBytes = bytes.value(UInt32.self, at: offset),
            let descriptionBytes = bytes.value(UInt32.self, at: offset + 4),
            let type = bytes.value(UInt32.self, at: offset + 8)
        else { return nil }
        let name = offset + 12
        let description = name + Self.padded(nameBytes)
        let end = description + Int(descriptionBytes)
        guard end <= bytes.count else { return nil }
        offset = description + Self.padded(descriptionBytes)
        return Note(
            name: UnsafeRawBufferPointer(rebasing: bytes[name..<name + Int(nameBytes)]), type: type,
            description: UnsafeRawBufferPointer(rebasing: bytes[description..<end]))
    }

    private static func padded(_ bytes: UInt32) -> Int { (Int(bytes) + 3) / 4 * 4 }
}
