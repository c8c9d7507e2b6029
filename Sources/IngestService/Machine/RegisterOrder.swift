// SPDX-License-Identifier: Apache-2.0

/// Registers as their processor's manual has them: where the thread was, its stack, then by name and number.
struct RegisterOrder: Comparable {
    private static let first = ["rip", "pc", "rsp", "sp", "rbp", "fp", "rax", "rbx", "rcx", "rdx", "rsi", "rdi"]

    private let rank: Int
    private let letters: String
    private let number: Int

    init(_ name: String) {
        rank = Self.first.firstIndex(of: name) ?? Self.first.count
        letters = name.filter { !$0.isNumber }
        number = Int(name.filter(\.isASCII).filter(\.isNumber)) ?? 0
    }

    static func < (left: RegisterOrder, right: RegisterOrder) -> Bool {
        (left.rank, left.letters, left.number) < (right.rank, right.letters, right.number)
    }
}
