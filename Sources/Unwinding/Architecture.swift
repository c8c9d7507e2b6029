// SPDX-License-Identifier: Apache-2.0

/// What the walk must know of a processor. Register numbers are DWARF's (System V ABI AMD64, AADWARF64).
enum Architecture: Sendable {
    case x86_64
    case arm64

    /// Takes the names of event documents; nil for a processor this module does not know.
    init?(name: String?) {
        switch name {
        case "x86_64": self = .x86_64
        case "arm64": self = .arm64
        default: return nil
        }
    }

    /// By DWARF number.
    var registerNames: [String] {
        switch self {
        case .x86_64:
            [
                "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
                "r15", "rip",
            ]
        case .arm64:
            (0...30).map { "x\($0)" } + ["sp", "pc"]
        }
    }

    var programCounter: Int { self == .x86_64 ? 16 : 32 }
    var stackPointer: Int { self == .x86_64 ? 7 : 31 }
    var framePointer: Int { self == .x86_64 ? 6 : 29 }
    /// Where a call leaves its return address; nil where it goes to the stack.
    var linkRegister: Int? { self == .x86_64 ? nil : 30 }

    /// Addresses of user space lie below.
    var addressLimit: UInt64 { self == .x86_64 ? 1 << 47 : 1 << 52 }

    /// Without the pointer authentication code that arm64 may keep in a return address's upper bits.
    func stripped(_ address: UInt64) -> UInt64 {
        self == .arm64 ? address & 0x0000_ffff_ffff_ffff : address
    }
}
