// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Captured memory that came beside a batch's text, each part compressed by itself. Nobody looks into it before it is worked on.
package struct BatchParts: Sendable {
    /// Of one body, the text among them.
    static let most = 20_000
    private static let sizeBytes = 4

    /// The body as it was sent.
    private let body: [UInt8]
    /// Of what each part holds.
    private let ranges: [Range<Int>]

    package init() {
        body = []
        ranges = []
    }

    private init(_ body: [UInt8], _ ranges: [Range<Int>]) {
        self.body = body
        self.ranges = ranges
    }

    package var count: Int { ranges.count }

    package subscript(_ index: Int) -> ArraySlice<UInt8> { body[ranges[index]] }

    /// The text, compressed as it was sent, and the parts behind it. Throws what is wrong with the body.
    package static func read(_ body: [UInt8]) throws(APIError) -> (text: ArraySlice<UInt8>, parts: BatchParts) {
        guard body.starts(with: Batch.partsMark) else { throw malformed("does not begin with the four bytes \"VKB1\"") }
        var ranges: [Range<Int>] = []
        var offset = Batch.partsMark.count
        while offset < body.count {
            guard ranges.count < most else { throw malformed("has more than \(most) parts") }
            guard body.count - offset >= sizeBytes else { throw malformed("ends within a size, at byte \(offset)") }
            let size = (0..<sizeBytes).reduce(0) { $0 | Int(body[offset + $1]) << (8 * $1) }
            let start = offset + sizeBytes
            guard size > 0, size <= body.count - start else {
                throw malformed("has a part of \(size) bytes at byte \(offset), and \(body.count - start) follow")
            }
            ranges.append(start..<start + size)
            offset = start + size
        }
        guard let text = ranges.first else { throw malformed("has no text") }
        return (body[text], BatchParts(body, Array(ranges.dropFirst())))
    }

    private static func malformed(_ how: String) -> APIError {
        APIError(
            400, "malformed_parts",
            "the body \(how); it is \"VKB1\", then the text and its parts, each behind its size in four bytes, the lowest first"
        )
    }
}
