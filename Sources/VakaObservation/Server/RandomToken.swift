// SPDX-License-Identifier: Apache-2.0

/// Words that nobody can guess.
enum RandomToken {
    /// 256 bits, as hexadecimal digits.
    static func make() -> String {
        // The system's generator reads the kernel's.
        (0..<4).map { _ in
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Takes as long whatever differs.
    static func isEqual(_ left: String, _ right: String) -> Bool {
        let left = Array(left.utf8)
        let right = Array(right.utf8)
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
