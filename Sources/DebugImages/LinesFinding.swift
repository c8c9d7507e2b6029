// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What a check says of how much code has lines.
struct LinesFinding {
    let identity: ELFIdentity
    let coverage: ImageCoverage?
    /// The functions are in `.dwo` files, so that they were not counted.
    let isSplit: Bool

    /// Below this share of the code in units with debug information, most frames would have no line.
    private static let usualPercent = 50.0

    var finding: ImageFinding {
        guard identity.hasLineTable else {
            return ImageFinding(
                name: "lines", state: .missing, detail: "no line table",
                cure: "compile with -g or at least -gline-tables-only")
        }
        guard let coverage, let units = coverage.units, let lines = coverage.lines else {
            return ImageFinding(
                name: "lines", state: .partial, detail: ".debug_line, but how much it covers cannot be told",
                cure: "build or copy the file again")
        }
        var parts = ["\(coverage.percent(lines)) % of .text have a line", "\(coverage.percent(units)) % lie in units"]
        if !isSplit, let functions = coverage.functions {
            parts.append("\(coverage.percent(functions)) % in their functions")
        }
        let detail = parts.joined(separator: ", ")
        if lines > 0, coverage.isUsual(units, percent: Self.usualPercent) {
            return ImageFinding(name: "lines", state: .ok, detail: detail)
        }
        return ImageFinding(
            name: "lines", state: lines == 0 ? .missing : .partial, detail: detail,
            cure: "compile everything with -g; libraries that are linked in statically, too")
    }
}
