// SPDX-License-Identifier: Apache-2.0
import CVakaRecord

/// The architectures a record may be of, with the names of their registers in the record's order (DWARF numbering).
package enum Architecture: String, Sendable, CaseIterable {
    case x86_64
    case arm64

    package init?(elfMachine: UInt16) {
        switch Int32(elfMachine) {
        case VAKA_ARCH_X86_64: self = .x86_64
        case VAKA_ARCH_ARM64: self = .arm64
        default: return nil
        }
    }

    /// The one whose thread sections have this many registers.
    init?(registerCount: Int) {
        guard let match = Self.allCases.first(where: { $0.registerNames.count == registerCount }) else { return nil }
        self = match
    }

    /// The two that are known of a thread which did not answer: where it is and where its stack is.
    var placeRegisters: Set<String> {
        switch self {
        case .x86_64: ["rip", "rsp"]
        case .arm64: ["pc", "sp"]
        }
    }

    package var registerNames: [String] {
        switch self {
        case .x86_64:
            ["rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp"] + (8...15).map { "r\($0)" } + ["rip", "rflags"]
        case .arm64:
            (0...30).map { "x\($0)" } + ["sp", "pc", "pstate"]
        }
    }
}
