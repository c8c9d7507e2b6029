// SPDX-License-Identifier: Apache-2.0

/// `0x…` of either case, or bare hexadecimal digits, of at most 64 bits.
enum HexWord {
    static func value(_ word: ArraySlice<UInt8>) -> UInt64? {
        var digits = word
        if digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8) {
            digits = digits.dropFirst(2)
        }
        guard !digits.isEmpty else { return nil }
        var value: UInt64 = 0
        for digit in digits {
            guard let nibble = nibble(digit), value >> 60 == 0 else { return nil }
            value = value << 4 | nibble
        }
        return value
    }

    private static func nibble(_ digit: UInt8) -> UInt64? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(digit - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
