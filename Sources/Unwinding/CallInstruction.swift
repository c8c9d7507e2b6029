// SPDX-License-Identifier: Apache-2.0

/// Tells return addresses from other numbers by the instruction before them.
package enum CallInstruction {
    /// The bytes, one to eight, at an address, little-endian; nil where they are not known.
    package typealias Reader = (_ address: UInt64, _ count: Int) -> UInt64?

    /// Whether a call stands right before `address`; nil where the code is not known.
    static func precedes(_ address: UInt64, memory: CapturedMemory, architecture: Architecture) -> Bool? {
        precedes(address, architecture) { memory.read($0, count: $1) }
    }

    /// The same for code that `read` knows, of a processor by the name that events have; nil for others.
    package static func precedes(_ address: UInt64, architecture: String?, read: Reader) -> Bool? {
        Architecture(name: architecture).flatMap { precedes(address, $0, read) }
    }

    /// Where the call right before `address` leads to, of a processor by the name that events have; nil where that is not
    /// in the instruction, or where no call is.
    package static func target(before address: UInt64, architecture: String?, read: Reader) -> UInt64? {
        guard let architecture = Architecture(name: architecture) else { return nil }
        let size: UInt64 = 4
        guard address > size else { return nil }
        switch architecture {
        case .x86_64:
            // call rel32
            guard read(address - size - 1, 1) == 0xe8, let word = read(address - size, Int(size)) else { return nil }
            return address &+ UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: word)))
        case .arm64:
            // bl
            guard let word = read(address - size, Int(size)), word & 0xfc00_0000 == 0x9400_0000 else { return nil }
            return address &- size &+ UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: word << 6)) >> 4)
        }
    }

    private static func precedes(_ address: UInt64, _ architecture: Architecture, _ read: Reader) -> Bool? {
        switch architecture {
        case .x86_64: precedesOnX86(address, read)
        case .arm64: precedesOnArm(address, read)
        }
    }

    private static func precedesOnX86(_ address: UInt64, _ read: Reader) -> Bool? {
        guard address >= 8, let word = read(address - 8, 8) else { return nil }
        // The last byte before the address comes first.
        let before = (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
        if before[4] == 0xe8 { return true }  // call rel32
        // call r/m64: ff /2, two to seven bytes long by its operand.
        return (2...7).contains { length in
            guard before[length - 1] == 0xff else { return false }
            let operand = before[length - 2]
            guard operand >> 3 & 7 == 2 else { return false }
            let index = length >= 3 ? before[length - 3] : 0
            return indirectLength(operand: operand, index: index) == length
        }
    }

    /// Of opcode, operand byte (ModRM), index byte (SIB) and displacement (Intel SDM, volume 2, 2.1.5).
    private static func indirectLength(operand: UInt8, index: UInt8) -> Int {
        let mode = operand >> 6
        let hasIndex = mode != 3 && operand & 7 == 4
        let base = hasIndex ? index & 7 : operand & 7
        let displacement =
            switch mode {
            case 0: base == 5 ? 4 : 0
            case 1: 1
            case 2: 4
            default: 0
            }
        return 2 + (hasIndex ? 1 : 0) + displacement
    }

    private static func precedesOnArm(_ address: UInt64, _ read: Reader) -> Bool? {
        guard address >= 4, address.isMultiple(of: 4), let word = read(address - 4, 4) else { return nil }
        let isBranchWithLink = word & 0xfc00_0000 == 0x9400_0000  // bl
        let isIndirect = word & 0xffff_fc1f == 0xd63f_0000  // blr
        let isAuthenticated = word & 0xfeff_f800 == 0xd63f_0800  // blraa, blrab and their zero forms
        return isBranchWithLink || isIndirect || isAuthenticated
    }
}
