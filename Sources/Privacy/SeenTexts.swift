// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Pieces of one document that were looked at: what is the same, byte for byte, need not be looked at again. Documents of
/// crashes have the same names and words in each frame. A fixed number is remembered.
struct SeenTexts {
    private static let places = 256
    /// Longer ones seldom come again.
    private static let longest = 64

    private var known = [Range<Int>](repeating: 0..<0, count: places)

    /// True for a piece like one that `isClean` was true for; it is asked of each other one.
    mutating func isKnown(
        _ piece: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>, isClean: () -> Bool
    ) -> Bool {
        guard (1...Self.longest).contains(piece.count), let base = bytes.baseAddress else { return isClean() }
        let place = Self.place(base + piece.lowerBound, piece.count)
        let other = known[place]
        if other.count == piece.count, memcmp(base + other.lowerBound, base + piece.lowerBound, piece.count) == 0 {
            return true
        }
        guard isClean() else { return false }
        known[place] = piece
        return true
    }

    private static func place(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
        var first: UInt64 = 0
        var last: UInt64 = 0
        let part = min(count, 8)
        memcpy(&first, start, part)
        memcpy(&last, start + (count - part), part)
        let mixed = (first ^ (last &* 0x9e37_79b9_7f4a_7c15) ^ UInt64(count)) &* 0xff51_afd7_ed55_8ccd
        return Int(truncatingIfNeeded: mixed >> 56)
    }
}
