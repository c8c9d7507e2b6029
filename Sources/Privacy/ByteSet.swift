// SPDX-License-Identifier: Apache-2.0

/// A set of bytes.
struct ByteSet: Hashable, Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init() {}

    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { insert(byte) }
    }

    static let all = ByteSet(0...255)
    /// Beyond ASCII they are parts of characters, and of words.
    static let word = ByteSet((0...255).filter { isWord($0) })
    static let digit = ByteSet(0x30...0x39)
    static let space = ByteSet([0x20, 0x09, 0x0a, 0x0b, 0x0c, 0x0d])
    static let line = ByteSet([0x0a]).inverted

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x5f
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        let bit = UInt64(1) << UInt64(byte & 63)
        return switch byte >> 6 {
        case 0: words.0 & bit != 0
        case 1: words.1 & bit != 0
        case 2: words.2 & bit != 0
        default: words.3 & bit != 0
        }
    }

    mutating func insert(_ byte: UInt8) {
        let bit = UInt64(1) << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: words.0 |= bit
        case 1: words.1 |= bit
        case 2: words.2 |= bit
        default: words.3 |= bit
        }
    }

    mutating func formUnion(_ other: ByteSet) {
        words.0 |= other.words.0
        words.1 |= other.words.1
        words.2 |= other.words.2
        words.3 |= other.words.3
    }

    var bytes: [UInt8] { (0...255).filter { contains($0) } }

    var inverted: ByteSet {
        var result = ByteSet()
        result.words = (~words.0, ~words.1, ~words.2, ~words.3)
        return result
    }

    /// With both cases of each letter of ASCII.
    var foldingCase: ByteSet {
        var result = self
        for byte in UInt8(0x41)...0x5a where contains(byte) || contains(byte | 0x20) {
            result.insert(byte)
            result.insert(byte | 0x20)
        }
        return result
    }

    static func == (one: ByteSet, other: ByteSet) -> Bool { one.words == other.words }

    func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}
