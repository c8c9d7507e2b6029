// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

/// `application/x-www-form-urlencoded`, and percent coding of path parts.
package enum FormCoding {
    static let mostFields = 512

    package static func fields(_ data: Data) -> [String: String] {
        var result: [String: String] = [:]
        let pairs = Array(data).split(separator: UInt8(ascii: "&"), maxSplits: mostFields)
        for pair in pairs.prefix(mostFields) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first else { continue }
            let value = parts.count > 1 ? decode(parts[1]) : ""
            result[decode(name)] = result[decode(name)] ?? value
        }
        return result
    }

    package static func decode(_ bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%"), bytes.endIndex - index > 2,
                let value = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                result.append(value)
                index += 3
                continue
            }
            result.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            index += 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// For one part of a path or a query's value.
    package static func encode(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            if byte < 128, character.isLetter || character.isNumber || "-._~".contains(character) {
                return String(character)
            }
            let hex = String(byte, radix: 16, uppercase: true)
            return "%" + (hex.count == 1 ? "0" + hex : hex)
        }.joined()
    }
}
