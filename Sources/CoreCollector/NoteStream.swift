// SPDX-License-Identifier: Apache-2.0
import CoreFile

/// The notes of a core as they come: what is not looked at (floating-point registers, of each thread some kilobytes) is
/// never held.
struct NoteStream {
    private static let headBytes = 12

    let stream: CoreStream
    let machine: UInt16

    /// Up to the first that is torn.
    func read(_ bytes: UInt64, into notes: inout CoreNotes) {
        let (end, overflow) = stream.position.addingReportingOverflow(bytes)
        guard !overflow else { return }
        while stream.position < end {
            let head = stream.read(Self.headBytes)
            guard let name = head.value(UInt32.self, at: 0), let description = head.value(UInt32.self, at: 4),
                let type = head.value(UInt32.self, at: 8)
            else { return }
            let start = stream.position + Self.padded(name)
            let next = start + Self.padded(description)
            guard next <= end, stream.skip(to: start) else { return }
            if let longest = CoreNotes.longest(type) {
                let content = stream.read(min(Int(description), longest))
                notes.take(type, content, machine: machine)
            }
            guard stream.skip(to: next) else { return }
        }
    }

    private static func padded(_ bytes: UInt32) -> UInt64 { (UInt64(bytes) + 3) / 4 * 4 }
}
