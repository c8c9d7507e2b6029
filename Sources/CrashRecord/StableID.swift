// SPDX-License-Identifier: Apache-2.0

/// An id that depends on the bytes alone, so that a damaged record sent twice is one event. FNV-1a, 2 × 64 bits.
package enum StableID {
    package static func of(_ bytes: [UInt8]) -> String {
        let prime: UInt64 = 0x100_0000_01b3
        var first: UInt64 = 0xcbf2_9ce4_8422_2325
        var second: UInt64 = 0x6c62_272e_07bb_0142
        for byte in bytes {
            first = (first ^ UInt64(byte)) &* prime
            second = (second ^ UInt64(byte) ^ (first >> 32)) &* prime
        }
        return hexText(byteArray(first.bigEndian) + byteArray(second.bigEndian))
    }
}
