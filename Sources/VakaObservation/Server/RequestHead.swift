// SPDX-License-Identifier: Apache-2.0

/// The first lines of an HTTP/1.1 request (RFC 9112), read strictly: what is not plainly right is refused.
package struct RequestHead: Equatable, Sendable {
    /// Why a request is not served, as the status that says so.
    package enum Problem: Error, Equatable {
        case malformed
        /// More bytes or more fields than are read.
        case tooLong
        /// It has a body of a kind that is not read.
        case unsupported
    }

    package static let longest = 8192
    static let mostFields = 64
    /// Each of these may be there once.
    private static let single: Set<String> = ["content-length", "host", "authorization", "origin"]

    package var method: String
    package var path: String
    /// By their names in lower case; the first of several.
    package var fields: [String: String] = [:]
    package var contentLength = 0
    /// The client waits to be told to go on with the body.
    package var expectsContinue = false

    /// Where the head ends, with its empty line; nil while that has not come.
    package static func end(in bytes: [UInt8], from start: Int = 0) -> Int? {
        let mark: [UInt8] = [13, 10, 13, 10]
        guard bytes.count >= mark.count else { return nil }
        for index in max(0, start - 3)...(bytes.count - mark.count) where bytes[index..<index + 4].elementsEqual(mark) {
            return index + 4
        }
        return nil
    }

    /// Reads a head, with its empty line.
    package init(_ bytes: some Collection<UInt8>) throws(Problem) {
        guard bytes.count <= Self.longest else { throw .tooLong }
        let text = Array(bytes)
        guard text.suffix(4).elementsEqual([13, 10, 13, 10]) else { throw .malformed }
        var lines = try Self.lines(text.dropLast(4))
        let words = lines.removeFirst().split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(Self.isTokenByte),
            words[1].first == UInt8(ascii: "/"), words[1].allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
            words[2].elementsEqual("HTTP/1.1".utf8) || words[2].elementsEqual("HTTP/1.0".utf8)
        else { throw .malformed }
        guard lines.count <= Self.mostFields else { throw .tooLong }
        method = String(decoding: words[0], as: UTF8.self)
        path = String(decoding: words[1].prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
        for line in lines { try read(line) }
        try readBody()
    }

    /// A line feed or a carriage return by itself is none's end.
    private static func lines(_ bytes: ArraySlice<UInt8>) throws(Problem) -> [ArraySlice<UInt8>] {
        let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
        var read: [ArraySlice<UInt8>] = []
        for (index, line) in lines.enumerated() {
            let isLast = index == lines.count - 1
            let body = isLast ? line : line.dropLast()
            guard isLast || line.last == 13, !body.contains(13) else { throw .malformed }
            read.append(body)
        }
        return read
    }

    private mutating func read(_ line: ArraySlice<UInt8>) throws(Problem) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(Self.isTokenByte)
        else { throw .malformed }
        let value = line[(colon + 1)...].drop(while: Self.isBlank)
        let trimmed = value.prefix(
            (value.lastIndex { !Self.isBlank($0) }.map { $0 + 1 } ?? value.startIndex) - value.startIndex)
        guard trimmed.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 9 }) else { throw .malformed }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        if fields[name] != nil {
            guard !Self.single.contains(name) else { throw .malformed }
        } else {
            fields[name] = String(decoding: trimmed, as: UTF8.self)
        }
    }

    private mutating func readBody() throws(Problem) {
        guard fields["transfer-encoding"] == nil else { throw .unsupported }
        if let length = fields["content-length"] {
            guard length.utf8.count <= 12, !length.isEmpty, length.utf8.allSatisfy({ (48...57).contains($0) }),
                let number = Int(length)
            else { throw .malformed }
            contentLength = number
        }
        expectsContinue = fields["expect"]?.lowercased() == "100-continue"
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 9 }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
