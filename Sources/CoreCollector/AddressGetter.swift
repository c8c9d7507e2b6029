// SPDX-License-Identifier: Apache-2.0
import CElfutils
import CoreFile

/// Reads the address that a small function returns out of its instructions, as it is the address of a variable that has
/// no name of its own.
enum AddressGetter {
    /// - Parameters:
    ///   - code: from the function's first byte on.
    ///   - start: where that was.
    static func address(_ code: [UInt8], at start: UInt64, machine: UInt16) -> UInt64? {
        switch Int32(machine) {
        case EM_X86_64: x86(code, start)
        case EM_AARCH64: arm(code, start)
        default: nil
        }
    }

    /// `lea displacement(%rip), %rax`.
    private static func x86(_ code: [UInt8], _ start: UInt64) -> UInt64? {
        let load: [UInt8] = [0x48, 0x8d, 0x05]
        for offset in code.indices where code[offset...].starts(with: load) {
            guard let displacement = code.value(Int32.self, at: offset + load.count) else { return nil }
            let next = start &+ UInt64(offset + load.count + 4)
            return next &+ UInt64(bitPattern: Int64(displacement))
        }
        return nil
    }

    /// `adrp x0, page`, then `add x0, x0, #offset`.
    private static func arm(_ code: [UInt8], _ start: UInt64) -> UInt64? {
        for offset in stride(from: 0, to: code.count - 7, by: 4) {
            guard let first = code.value(UInt32.self, at: offset), let second = code.value(UInt32.self, at: offset + 4),
                first & 0x9f00_001f == 0x9000_0000, second & 0xffc0_03ff == 0x9100_0000
            else { continue }
            let pages = Int64(Int32(bitPattern: (first >> 5 & 0x7_ffff) << 13)) >> 11 | Int64(first >> 29 & 3)
            let page = (start &+ UInt64(offset)) & ~0xfff
            return page &+ UInt64(bitPattern: pages << 12) &+ UInt64(second >> 10 & 0xfff)
        }
        return nil
    }
}
