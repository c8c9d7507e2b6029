// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The lines of a source file.
struct SourceLines {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var byteCount: Int { bytes.count }

    /// The lines around `line`, which counts from 1; nil where the file has no such line.
    func context(_ line: Int, origin: SourceOrigin, verified: Bool) -> SourceContext? {
        guard line > 0 else { return nil }
        let first = max(1, line - SourceContext.linesAround)
        let lines = texts(first, through: line.addingReportingOverflow(SourceContext.linesAround).partialValue)
        guard line - first < lines.count else { return nil }
        return SourceContext(
            pre: Array(lines[..<(line - first)]), line: lines[line - first], post: Array(lines[(line - first + 1)...]),
            origin: origin, verified: verified)
    }

    /// Without their ends. What follows the last line's end is no line.
    private func texts(_ first: Int, through last: Int) -> [String] {
        var result: [String] = []
        var number = 1
        var start = 0
        while start < bytes.count, number <= last {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            if number >= first { result.append(Self.text(bytes[start..<end])) }
            start = end + 1
            number += 1
        }
        return result
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let line = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
        // A character has at most four bytes, save where many marks stand on one.
        let text = String(decoding: line.prefix(4 * SourceContext.lineCharacters + 1), as: UTF8.self)
        let cut = text.unicodeScalars.prefix(SourceContext.lineCharacters)
        return cut.endIndex == text.unicodeScalars.endIndex ? text : String(String.UnicodeScalarView(cut)) + "…"
    }
}
