// SPDX-License-Identifier: Apache-2.0
import DebugImages

/// Addresses all over the code of a file, the same in every run.
enum CodeAddresses {
    static func random(_ path: String, count: Int) throws -> [UInt64] {
        let sections = try ELFFile(path: path).sections.filter { $0.isExecutable && $0.isAllocated && $0.size > 0 }
        guard let text = sections.first(where: { $0.name == ".text" }) ?? sections.max(by: { $0.size < $1.size }) else {
            throw CommandError("\(path): has no code to take addresses from")
        }
        var random = Sequence(state: 0x9e37_79b9_7f4a_7c15)
        return (0..<count).map { _ in text.address &+ UInt64.random(in: 0..<text.size, using: &random) }
    }

    /// SplitMix64.
    private struct Sequence: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var value = state
            value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
            value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
            return value ^ (value >> 31)
        }
    }
}
