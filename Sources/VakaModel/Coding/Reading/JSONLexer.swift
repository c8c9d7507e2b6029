// SPDX-License-Identifier: Apache-2.0

/// The words of JSON (RFC 8259) in a text, one after the other: checks them and says where they stand, builds nothing.
package struct JSONLexer {
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    package let bytes: [UInt8]
    package private(set) var position = 0
    private let deepest: Int

    package init(_ bytes: [UInt8], deepest: Int) {
        self.bytes = bytes
        self.deepest = deepest
    }

    package var byte: UInt8? { position < bytes.count ? bytes[position] : nil }
    package var isAtEnd: Bool { position == bytes.count }

    package func fault(_ problem: String) -> JSONFault { JSONFault(offset: position, problem: problem) }

    package mutating func skipSpace() {
        while let byte, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    package mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard byte == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Nothing may stand deeper: what hostile texts cost is bounded.
    package func checkDepth(_ depth: Int) throws(JSONFault) {
        guard depth < deepest else { throw fault("nested deeper than \(deepest) levels") }
    }

    /// Past a value at `depth` and all that is in it.
    package mutating func skipValue(depth: Int) throws(JSONFault) {
        try checkDepth(depth)
        switch byte {
        case UInt8(ascii: "{"): try skipObject(depth)
        case UInt8(ascii: "["): try skipArray(depth)
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "t"): try skipWord("true")
        case UInt8(ascii: "f"): try skipWord("false")
        case UInt8(ascii: "n"): try skipWord("null")
        case let digit? where digit == UInt8(ascii: "-") || Self.digits.contains(digit): try skipNumber()
        case nil: throw fault("the text ends where a value is expected")
        default: throw fault("a value is expected")
        }
    }

    private mutating func skipObject(_ depth: Int) throws(JSONFault) {
        position += 1
        skipSpace()
        if take("}") { return }
        while true {
            _ = try memberName()
            try skipValue(depth: depth + 1)
            guard try !ends("}", "a comma or the object's end is expected") else { return }
        }
    }

    private mutating func skipArray(_ depth: Int) throws(JSONFault) {
        position += 1
        skipSpace()
        if take("]") { return }
        while true {
            skipSpace()
            try skipValue(depth: depth + 1)
            guard try !ends("]", "a comma or the array's end is expected") else { return }
        }
    }

    /// Up to the member's value; the name without its quotes, and whether escapes are in it.
    package mutating func memberName() throws(JSONFault) -> JSONString {
        skipSpace()
        guard byte == UInt8(ascii: "\"") else { throw fault("a member's name in quotes is expected") }
        let name = try string()
        skipSpace()
        guard take(":") else { throw fault("a colon is expected") }
        skipSpace()
        return name
    }

    /// False where a comma says that more follows.
    package mutating func ends(_ end: Unicode.Scalar, _ problem: String) throws(JSONFault) -> Bool {
        skipSpace()
        if take(end) { return true }
        guard take(",") else { throw fault(problem) }
        return false
    }

    package mutating func skipString() throws(JSONFault) { _ = try string() }

    /// Past a string.
    package mutating func string() throws(JSONFault) -> JSONString {
        position += 1
        let start = position
        var hasEscapes = false
        while true {
            position = JSONString.plainEnd(in: bytes, from: position)
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return JSONString(range: start..<position - 1, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                position += 1
                hasEscapes = true
                try skipEscape()
            case nil: throw fault("a string is not closed")
            default: throw fault("a control character in a string")
            }
        }
    }

    private mutating func skipEscape() throws(JSONFault) {
        guard let escape = byte, "\"\\/bfnrtu".utf8.contains(escape) else { throw fault("an unknown escape") }
        position += 1
        guard escape == UInt8(ascii: "u") else { return }
        for _ in 0..<4 {
            guard byte?.hexadecimalValue != nil else {
                throw fault("four hexadecimal digits are expected")
            }
            position += 1
        }
    }

    package mutating func skipWord(_ word: StaticString) throws(JSONFault) {
        for index in 0..<word.utf8CodeUnitCount {
            guard byte == word.utf8Start[index] else { throw fault("\(word) is expected") }
            position += 1
        }
    }

    package mutating func skipNumber() throws(JSONFault) {
        _ = take("-")
        if !take("0") { try skipDigits() }
        if take(".") { try skipDigits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(JSONFault) {
        let start = position
        while let byte, Self.digits.contains(byte) { position += 1 }
        guard position > start else { throw fault("a digit is expected") }
    }
}
