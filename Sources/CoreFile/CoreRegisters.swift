// SPDX-License-Identifier: Apache-2.0
import CElfutils
import CrashRecord
package import VakaModel

/// The order of the registers in a core's notes (user_regs_struct), by machine.
package enum CoreRegisters {
    private static let x86Names =
        ["r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8", "rax", "rcx", "rdx", "rsi", "rdi"]
        + ["", "rip", "", "rflags", "rsp", "", "", "", "", "", "", ""]
    private static let armNames = (0...30).map { "x\($0)" } + ["sp", "pc", "pstate"]
    private static let segmentBases = (fs: 21, gs: 22)

    private static func names(_ machine: UInt16) -> [String] {
        switch Int32(machine) {
        case EM_X86_64: x86Names
        case EM_AARCH64: armNames
        default: []
        }
    }

    /// How many words a thread's status holds of them.
    static func count(_ machine: UInt16) -> Int { names(machine).count }

    /// The name that documents have; nil for a machine whose cores are not read.
    package static func architecture(_ machine: UInt16) -> String? {
        Architecture(elfMachine: machine)?.rawValue
    }

    static func machine(_ architecture: String) -> UInt16? {
        [UInt16(EM_X86_64), UInt16(EM_AARCH64)].first { self.architecture($0) == architecture }
    }

    /// Where the thread was and where its stack is.
    static func hasPlace(_ values: [String: HexAddress]) -> Bool {
        values["rip"] != nil && values["rsp"] != nil || values["pc"] != nil && values["sp"] != nil
    }

    /// In the notes' order, 0 where a value is not known. Of those that reports do not hold, the code and the stack
    /// segment are the same in every 64-bit program, and no system call is to be done anew.
    static func words(_ values: [String: HexAddress], machine: UInt16) -> [UInt64] {
        var words = names(machine).map { values[$0]?.rawValue ?? 0 }
        if Int32(machine) == EM_X86_64 { (words[15], words[17], words[20]) = (.max, 0x33, 0x2b) }
        return words
    }

    package static func values(_ words: [UInt64], machine: UInt16) -> [String: HexAddress] {
        var values: [String: HexAddress] = [:]
        for (name, word) in zip(names(machine), words) where !name.isEmpty { values[name] = HexAddress(word) }
        return values
    }

    package static func stackPointer(_ words: [UInt64], machine: UInt16) -> UInt64? {
        let values = values(words, machine: machine)
        return (values["rsp"] ?? values["sp"])?.rawValue
    }

    /// In the order of crash records; empty where not all are known.
    package static func recordWords(_ words: [UInt64], machine: UInt16) -> [UInt64] {
        let values = values(words, machine: machine)
        let wanted = Architecture(elfMachine: machine)?.registerNames ?? []
        let known = wanted.compactMap { values[$0]?.rawValue }
        return known.count == wanted.count ? known : []
    }

    /// Where x86_64's segments begin.
    static func fsBase(_ words: [UInt64]) -> UInt64 {
        words.indices.contains(segmentBases.fs) ? words[segmentBases.fs] : 0
    }
    static func gsBase(_ words: [UInt64]) -> UInt64 {
        words.indices.contains(segmentBases.gs) ? words[segmentBases.gs] : 0
    }
}
