// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport

/// The Swift toolchain's own `llvm-symbolizer`, as the truth to compare with.
enum ReferenceSymbolizer {
    struct Level: Equatable, CustomStringConvertible {
        var name: String
        var place: String

        var description: String { "\(name) at \(place)" }
    }

    static let path: String? = {
        guard let compiler = try? ChildProcess.run("which", ["swiftc"]).output,
            let line = compiler.split(separator: "\n").first
        else { return nil }
        let real = URL(filePath: String(line)).resolvingSymlinksInPath().deletingLastPathComponent().path
        let candidates = [real + "/llvm-symbolizer", String(line.dropLast("swiftc".count)) + "llvm-symbolizer"]
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// Linkage names, innermost first, for every address.
    static func lookup(_ file: String, _ addresses: [UInt64], options: [String] = ["--no-demangle"]) throws -> [[Level]]
    {
        let input = addresses.map { "0x" + String($0, radix: 16) + "\n" }.joined()
        let arguments = ["--obj=" + file, "--inlines"] + options
        let result = try ChildProcess.run(path ?? "llvm-symbolizer", arguments, input: Data(input.utf8), seconds: 120)
        return parse(result.output)
    }

    static func parse(_ text: String) -> [[Level]] {
        var answers: [[Level]] = []
        var levels: [Level] = []
        var name: Substring?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let waiting = name {
                levels.append(Level(name: String(waiting), place: String(line)))
                name = nil
            } else if line.isEmpty {
                if !levels.isEmpty { answers.append(levels) }
                levels = []
            } else {
                name = line
            }
        }
        return answers
    }
}
