// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// Writes the answers to addresses: text in the shape of `llvm-symbolizer`, or one line of JSON an address.
package struct LookupRenderer: Sendable {
    private struct Answer: Encodable {
        struct Frame: Encodable {
            @ExplicitNull var function: String?
            @ExplicitNull var symbol: String?
            @ExplicitNull var file: String?
            @ExplicitNull var line: Int?
            @ExplicitNull var column: Int?
            var inlined: Bool
            var notes: [String]
        }

        var address: HexAddress
        var frames: [Frame]
    }

    /// False leaves the linkage names as they are.
    package var demangle: Bool

    package init(demangle: Bool = true) {
        self.demangle = demangle
    }

    /// Function, then `file:line:column`, for every level; `??` and 0 stand for what is unknown; a blank line at the end.
    package func text(_ frames: [LookupFrame]) -> String {
        let levels = frames.isEmpty ? [LookupFrame()] : frames
        return levels.map { frame in
            "\(name(frame) ?? "??")\n\(frame.file ?? "??"):\(frame.line ?? 0):\(frame.column ?? 0)\n"
        }.joined() + "\n"
    }

    /// One JSON object without a line end.
    package func json(address: UInt64, _ frames: [LookupFrame]) throws -> String {
        let answer = Answer(
            address: HexAddress(address),
            frames: frames.map { frame in
                Answer.Frame(
                    function: name(frame), symbol: frame.symbol, file: frame.file, line: frame.line,
                    column: frame.column, inlined: frame.inlined, notes: frame.notes)
            })
        return String(decoding: try ModelCoding.encode(answer), as: UTF8.self)
    }

    private func name(_ frame: LookupFrame) -> String? { demangle ? frame.function : frame.symbol }
}
