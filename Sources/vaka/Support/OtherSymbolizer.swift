// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
@preconcurrency import Glibc
import Symbolication

/// Another symbolizer on this machine.
struct OtherSymbolizer: Sendable {
    let name: String
    /// It prints columns.
    let hasColumns: Bool
    private let arguments: @Sendable (String) -> [String]
    private let parse: @Sendable (String) -> [[AnswerLevel]]

    static var installed: [OtherSymbolizer] {
        [llvm, binutils].filter { ToolRun.isInstalled($0.name) }
    }

    private static let llvm = OtherSymbolizer(
        name: "llvm-symbolizer", hasColumns: true,
        arguments: { ["--obj=\($0)", "--no-demangle", "--inlines"] },
        parse: { AnswerLevel.parse($0, hasColumns: true) })

    /// `-a` prints each address before its levels, which are then told apart.
    private static let binutils = OtherSymbolizer(
        name: "addr2line", hasColumns: false, arguments: { ["-a", "-f", "-i", "-e", $0] },
        parse: { text in
            let marked = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                line.hasPrefix("0x") && !line.contains(":") ? "" : String(line)
            }
            return AnswerLevel.parse(marked.dropFirst().joined(separator: "\n"), hasColumns: false)
        })

    func answers(_ path: String, _ addresses: [UInt64]) throws -> [[AnswerLevel]] {
        let input = addresses.map { "0x" + String($0, radix: 16) + "\n" }.joined()
        return parse(try ToolRun.output(name, arguments(path), input: input))
    }
}
