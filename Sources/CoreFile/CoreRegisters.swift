// SPDX-License-Identifier: Apache-2.0
import CElfutils
import VakaModel

/// The order of the registers in a core's notes (user_regs_struct), by machine.
enum CoreRegisters {
    static func architecture(_ machine: UInt16) -> (name: String, registers: [String])? {
        switch Int32(machine) {
        case EM_X86_64:
            (
                "x86_64",
                [
                    "r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8", "rax", "rcx", "rdx", "rsi",
                    "rdi",
                    "", "rip", "", "rflags", "rsp",
                ]
            )
        case EM_AARCH64: ("arm64", (0...30).map { "x\($0)" } + ["sp", "pc", "pstate"])
        default: nil
        }
    }

    static func machine(_ architecture: String) -> UInt16? {
        [UInt16(EM_X86_64), UInt16(EM_AARCH64)].first { self.architecture($0)?.name == architecture }
    }

    /// Where the thread was and where its stack is.
    static func hasPlace(_ values: [String: HexAddress]) -> Bool {
        values["rip"] != nil && values["rsp"] != nil || values["pc"] != nil && values["sp"] != nil
    }

    /// In the notes' order, 0 where a value is not known. Of those that reports do not hold, the code and the stack
    /// segment are the same in every 64-bit program, and no system call is to be done anew.
    static func words(_ values: [String: HexAddress], machine: UInt16) -> [UInt64] {
        let words = (architecture(machine)?.registers ?? []).map { values[$0]?.rawValue ?? 0 }
        guard Int32(machine) == EM_X86_64 else { return words }
        var all = words + Array(repeating: 0, count: 27 - words.count)
        (all[15], all[17], all[20]) = (.max, 0x33, 0x2b)
        return all
    }

    static func values(_ bytes: UnsafeRawBufferPointer, names: [String]) -> [String: HexAddress] {
        var values: [String: HexAddress] = [:]
        for (index, name) in names.enumerated() where !name.isEmpty {
            values[name] = bytes.value(UInt64.self, at: index * 8).map { HexAddress($0) }
        }
        return values
    }
}
