// SPDX-License-Identifier: Apache-2.0

/// What is taken for an e-mail address: `local@domain`, of ASCII letters, digits and few signs, so that nothing in it can be
/// read as more than an address.
package enum MailAddress {
    private static let signs = Set("!#$%&'*+-/=?^_`{|}~.".utf8)

    package static func isOne(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard text.utf8.count <= 254, parts.count == 2, !parts[0].isEmpty, parts[0].utf8.count <= 64 else {
            return false
        }
        let isLocal = parts[0].utf8.allSatisfy { isLetter($0) || signs.contains($0) }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        let isDomain = labels.allSatisfy { label in
            !label.isEmpty && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { isLetter($0) || $0 == UInt8(ascii: "-") }
        }
        return isLocal && isDomain
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
