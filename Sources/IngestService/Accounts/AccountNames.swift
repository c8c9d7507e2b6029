// SPDX-License-Identifier: Apache-2.0
import EventStore

/// Which names users and projects may have.
package enum AccountNames {
    static let userPattern = "^[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}$"
    static let projectPattern = "^[a-z0-9][a-z0-9-]{0,62}$"

    /// In lowercase: "Ann" and "ann" are one. Nil where it is no name.
    package static func user(_ text: String) -> String? {
        isName(text, longest: 100) { isLetter($0) || isUppercase($0) || "._@+-".utf8.contains($0) }
            ? text.lowercased() : nil
    }

    package static func project(_ text: String) -> String? {
        isName(text, longest: 63) { isLetter($0) || $0 == UInt8(ascii: "-") } && text == text.lowercased() ? text : nil
    }

    private static func isName(_ text: String, longest: Int, _ mayFollow: (UInt8) -> Bool) -> Bool {
        guard (1...longest).contains(text.utf8.count), let first = text.utf8.first else { return false }
        return (isLetter(first) || isUppercase(first)) && text.utf8.allSatisfy(mayFollow)
    }

    /// Or a digit.
    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) }
    private static func isUppercase(_ byte: UInt8) -> Bool { (0x41...0x5a).contains(byte) }
}
