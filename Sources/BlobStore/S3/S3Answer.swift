// SPDX-License-Identifier: Apache-2.0

/// What an S3 store answered.
struct S3Answer {
    var status: Int
    var body: String
    var etag: String
    /// Of the body, as the headers say; -1 where they do not.
    var announcedBytes: Int64

    /// The text of the first element of a name, wherever it is; nil where there is none.
    func text(_ name: String) -> String? { Self.texts(name, in: body[...]).first.map { Self.decoded($0) } }

    /// What is in each element of a name.
    func elements(_ name: String) -> [Substring] { Self.texts(name, in: body[...]) }

    static func text(_ name: String, in element: Substring) -> String? {
        texts(name, in: element).first.map { decoded($0) }
    }

    /// S3's documents are flat, and no element holds one of its own name.
    private static func texts(_ name: String, in text: Substring) -> [Substring] {
        var found: [Substring] = []
        var rest = text
        while let start = rest.firstRange(of: "<" + name) {
            rest = rest[start.upperBound...]
            // Another name may begin with this one; attributes are left out.
            guard let next = rest.first, ">/ \t\r\n".contains(next) else { continue }
            guard let close = rest.firstIndex(of: ">") else { break }
            if rest[..<close].hasSuffix("/") {
                found.append("")
                rest = rest[rest.index(after: close)...]
                continue
            }
            rest = rest[rest.index(after: close)...]
            guard let end = rest.firstRange(of: "</" + name + ">") else { break }
            found.append(rest[..<end.lowerBound])
            rest = rest[end.upperBound...]
        }
        return found
    }

    private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

    private static func decoded(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        var pieces = text.split(separator: "&", omittingEmptySubsequences: false)
        var result = String(pieces.removeFirst())
        for piece in pieces {
            guard let end = piece.firstIndex(of: ";"), let character = character(piece[..<end]) else {
                result += "&" + piece
                continue
            }
            result += character + piece[piece.index(after: end)...]
        }
        return result
    }

    private static func character(_ entity: Substring) -> String? {
        guard entity.hasPrefix("#") else { return entities[String(entity)] }
        let digits = entity.dropFirst()
        let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }
}
