// SPDX-License-Identifier: Apache-2.0

/// An HTTP/1.1 answer, read until the connection ends. Bounded, for it is another process's word.
package struct Reply: Equatable, Sendable {
    package static let longestHead = 16_384
    package static let longestBody = 64 << 20

    package var status: Int
    package var body: [UInt8]

    /// Reads a whole answer; nil for what is none, or not whole.
    package init?(_ bytes: [UInt8]) {
        guard let end = Self.headEnd(bytes), end <= Self.longestHead else { return nil }
        let lines = bytes[..<(end - 4)].split(separator: 10, omittingEmptySubsequences: false)
            .map { $0.last == 13 ? $0.dropLast() : $0 }
        guard let first = lines.first, first.starts(with: "HTTP/1.1 ".utf8) || first.starts(with: "HTTP/1.0 ".utf8),
            let status = Int(String(decoding: first.dropFirst(9).prefix(3), as: UTF8.self)),
            (100...599).contains(status)
        else { return nil }
        if status == 100 {
            // Only that the body may come; the answer follows.
            guard let next = Reply(Array(bytes[end...])), next.status != 100 else { return nil }
            self = next
            return
        }
        self.status = status
        body = Array(bytes[end...])
        let length = lines.dropFirst().lazy.compactMap(Self.contentLength).first
        guard let length else { return }
        guard length == body.count else { return nil }
    }

    private static func headEnd(_ bytes: [UInt8]) -> Int? {
        let mark: [UInt8] = [13, 10, 13, 10]
        guard bytes.count >= 4 else { return nil }
        let last = min(bytes.count - 4, longestHead)
        return (0...last).first { bytes[$0..<$0 + 4].elementsEqual(mark) }.map { $0 + 4 }
    }

    private static func contentLength(_ line: ArraySlice<UInt8>) -> Int? {
        let text = String(decoding: line, as: UTF8.self).lowercased()
        guard text.hasPrefix("content-length:") else { return nil }
        let digits = text.dropFirst("content-length:".count).filter { $0 != " " && $0 != "\t" }
        return Int(digits) ?? -1
    }
}
