// SPDX-License-Identifier: Apache-2.0

/// SHA-256 (FIPS 180-4), for fingerprints that must be equal on every machine and in every version.
package enum SHA256 {
    private static let rounds: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    /// The first 128 bits of the hash of the parts, each ended by a zero byte, in hexadecimal.
    package static func fingerprint(_ parts: [String]) -> String {
        var bytes: [UInt8] = []
        for part in parts {
            bytes += Array(part.utf8)
            bytes.append(0)
        }
        return String(hex(bytes).prefix(32))
    }

    package static func hex(_ message: [UInt8]) -> String {
        digest(message).map { word in
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 8 - text.count) + text
        }.joined()
    }

    private static func digest(_ message: [UInt8]) -> [UInt32] {
        var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ]
        var padded = message + [0x80]
        while padded.count % 64 != 56 { padded.append(0) }
        let bits = UInt64(message.count) &* 8
        padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
        for block in stride(from: 0, to: padded.count, by: 64) {
            compress(&state, padded[block..<block + 64])
        }
        return state
    }

    private static func compress(_ state: inout [UInt32], _ block: ArraySlice<UInt8>) {
        var words = (0..<16).map { index in
            (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(block[block.startIndex + index * 4 + $1]) }
        }
        for index in 16..<64 {
            let before = words[index - 15]
            let last = words[index - 2]
            let small = rotate(before, 7) ^ rotate(before, 18) ^ (before >> 3)
            let large = rotate(last, 17) ^ rotate(last, 19) ^ (last >> 10)
            words.append(words[index - 16] &+ small &+ words[index - 7] &+ large)
        }
        var work = state
        for index in 0..<64 {
            let choice = (work[4] & work[5]) ^ (~work[4] & work[6])
            let sum1 = rotate(work[4], 6) ^ rotate(work[4], 11) ^ rotate(work[4], 25)
            let first = work[7] &+ sum1 &+ choice &+ rounds[index] &+ words[index]
            let majority = (work[0] & work[1]) ^ (work[0] & work[2]) ^ (work[1] & work[2])
            let sum0 = rotate(work[0], 2) ^ rotate(work[0], 13) ^ rotate(work[0], 22)
            work = [first &+ sum0 &+ majority, work[0], work[1], work[2], work[3] &+ first, work[4], work[5], work[6]]
        }
        for index in 0..<8 { state[index] = state[index] &+ work[index] }
    }

    private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
        word >> bits | word << (32 - bits)
    }
}
