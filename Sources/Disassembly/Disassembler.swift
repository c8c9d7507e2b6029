// SPDX-License-Identifier: Apache-2.0
import CCapstone
package import VakaModel

/// Decodes machine code of one architecture. Reads hostile bytes, of which it takes a bounded number; for a process that may
/// end. Not thread-safe.
package final class Disassembler {
    /// More bytes than this are not looked at.
    package static let mostBytes = 4096

    private let handle: csh
    private let isArm64: Bool

    /// - Parameter arch: as events name it; nil for one that cannot be decoded.
    package init?(arch: String) {
        guard Event.architectures.contains(arch) else { return nil }
        isArm64 = arch == "arm64"
        handle = vaka_capstone_open(isArm64)
        guard handle != 0 else { return nil }
    }

    deinit { vaka_capstone_close(handle) }

    /// The instructions from the first byte on, up to one that is none.
    package func instructions(_ bytes: [UInt8], at address: UInt64) -> [Instruction] {
        var list: UnsafeMutablePointer<cs_insn>?
        let count = cs_disasm(handle, bytes, min(bytes.count, Self.mostBytes), address, 0, &list)
        guard let list else { return [] }
        defer { cs_free(list, count) }
        var offset = 0
        return UnsafeBufferPointer(start: list, count: count).map { (entry) -> Instruction in
            let size = min(Int(entry.size), bytes.count - offset)
            defer { offset += size }
            return withUnsafePointer(to: entry) { one in
                let mnemonic = String(cString: vaka_capstone_mnemonic(one))
                let operands = String(cString: vaka_capstone_operands(one))
                return Instruction(
                    address: HexAddress(entry.address), bytes: Array(bytes[offset..<offset + size]),
                    text: operands.isEmpty ? mnemonic : mnemonic + " " + operands,
                    target: target(mnemonic, operands))
            }
        }
    }

    /// Instructions before and after the one at `address`, which is decoded for certain. Those before it are found by
    /// trying: of the ways that lead to it, the longest.
    ///
    /// - Parameter position: where in `bytes` the instruction is.
    package func instructions(
        around position: Int, of bytes: [UInt8], at address: UInt64, before: Int, after: Int
    ) -> [Instruction] {
        guard bytes.indices.contains(position) else { return [] }
        let following = instructions(Array(bytes[position...]), at: address).prefix(after + 1)
        guard !following.isEmpty else { return [] }
        return preceding(position, bytes, address).suffix(before) + following
    }

    private func preceding(_ position: Int, _ bytes: [UInt8], _ address: UInt64) -> [Instruction] {
        let step = isArm64 ? 4 : 1
        let longest = min(position / step * step, Self.longestBefore)
        for back in stride(from: longest, to: 0, by: -step) {
            let (start, overflow) = address.subtractingReportingOverflow(UInt64(back))
            guard !overflow else { continue }
            let found = instructions(Array(bytes[position - back..<position]), at: start)
            if found.reduce(0, { $0 + $1.bytes.count }) == back { return found }
        }
        return []
    }

    private static let longestBefore = 64

    /// Of branches whose last operand is an address.
    private func target(_ mnemonic: String, _ operands: String) -> HexAddress? {
        let branches = isArm64 ? ["b", "cb", "tb"] : ["call", "j"]
        guard branches.contains(where: mnemonic.hasPrefix) else { return nil }
        let last = operands.split(separator: " ").last.map { $0.drop { $0 == "#" } } ?? ""
        return last.hasPrefix("0x") ? HexAddress(hex: last) : nil
    }
}
