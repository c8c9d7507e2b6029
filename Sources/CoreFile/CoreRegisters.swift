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

    static func values(_ bytes: UnsafeRawBufferPointer, names: [String]) -> [String: HexAddress] {
        var values: [String: HexAddress] = [:]
        for (index, name) in names.enumerated() where !name.isEmpty {
            values[name] = bytes.value(UInt64.self, at: index * 8).map { HexAddress($0) }
        }
        return values
    }
}
