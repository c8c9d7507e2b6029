// SPDX-License-Identifier: Apache-2.0

/// A line that a program wrote for a terminal, as it stood there in the end.
enum TerminalText {
    private static let escape = UInt8(ascii: "\u{1b}")
    private static let bell: UInt8 = 7

    /// Without control sequences (ECMA-48), and of what carriage returns wrote over only the last.
    static func plain(_ line: [UInt8]) -> String {
        let bytes = line.contains(escape) ? withoutSequences(line) : line
        let last = bytes.split(separator: UInt8(ascii: "\r")).last ?? []
        return String(decoding: last, as: UTF8.self)
    }

    private static func withoutSequences(_ line: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        var rest = line[...]
        while let byte = rest.popFirst() {
            guard byte == escape else {
                plain.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "["): rest = rest.drop { !(0x40...0x7e).contains($0) }.dropFirst()
            // A title, say: it ends with a bell or the sequence ESC \.
            case UInt8(ascii: "]"), UInt8(ascii: "P"): rest = rest.drop { $0 != bell && $0 != escape }.dropFirst()
            // A character set, say.
            case .some(0x20...0x2f): rest = rest.drop { (0x20...0x2f).contains($0) }.dropFirst()
            default: break
            }
        }
        return plain
    }
}
