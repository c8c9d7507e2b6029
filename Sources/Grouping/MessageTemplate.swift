// SPDX-License-Identifier: Apache-2.0

/// Replaces what differs from one occurrence of a message to the next: numbers, addresses, ids, quoted text, paths.
package enum MessageTemplate {
    static let longestMessage = 2048

    package static func of(_ message: String) -> String {
        var result: [String] = []
        let line =
            Substring(message.unicodeScalars.prefix(longestMessage)).split(whereSeparator: \.isNewline).first ?? ""
        for word in unquoted(String(line)).split(separator: " ") {
            let placeholder = replacement(word)
            // A list of values is one value, however long.
            if placeholder == "<n>", result.last == "<n>" { continue }
            result.append(placeholder)
        }
        return result.joined(separator: " ")
    }

    private static func unquoted(_ text: String) -> String {
        var result = ""
        var quote: Character?
        for character in text {
            if let open = quote {
                if character == open {
                    quote = nil
                    result += "<quoted>"
                }
            } else if character == "\"" || character == "`" {
                quote = character
            } else {
                result.append(character)
            }
        }
        return quote == nil ? result : text
    }

    private static func replacement(_ word: Substring) -> String {
        if word.contains("@"), word.contains(".") { return "<address>" }
        if word.hasPrefix("/"), word.dropFirst().contains("/") { return "<path>" }
        if word.contains("://") { return "<url>" }
        if isIdentifier(word) { return "<id>" }
        return numbersReplaced(word)
    }

    /// A UUID, a hash, a hexadecimal address.
    private static func isIdentifier(_ word: Substring) -> Bool {
        let bare = word.hasPrefix("0x") ? word.dropFirst(2) : word.filter { $0 != "-" }[...]
        let hexadecimal = !bare.isEmpty && bare.allSatisfy { $0.isHexDigit }
        return hexadecimal && (word.hasPrefix("0x") || (bare.count >= 8 && bare.contains { $0.isNumber }))
    }

    private static func numbersReplaced(_ word: Substring) -> String {
        var result = ""
        var inNumber = false
        for character in word {
            let continues = character.isNumber || (inNumber && (character == "." || character == ","))
            if continues, !inNumber { result += "<n>" }
            if !continues { result.append(character) }
            inNumber = continues
        }
        return result
    }
}
