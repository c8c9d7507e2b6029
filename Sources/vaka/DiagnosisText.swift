// SPDX-License-Identifier: Apache-2.0
import Doctor
import EventText

/// A diagnosis as a person reads it.
struct DiagnosisText {
    private static let indent = String(repeating: " ", count: 10)

    let text: String

    init(_ diagnosis: Diagnosis) {
        let width = diagnosis.findings.map(\.key.rawValue.count).max() ?? 0
        var lines = diagnosis.findings.flatMap { finding -> [String] in
            let key = finding.key.rawValue
            let gap = String(repeating: " ", count: width - key.count + 2)
            let head = "\(Self.word(finding.status))\(key)\(gap)\(ReportText.printable(finding.says))"
            let rest = [finding.costs.map { "costs: \($0)" }, finding.mend.map { "mend: \($0)" }].compactMap { $0 }
            return [head]
                + rest.map { Self.indent + String(repeating: " ", count: width + 2) + ReportText.printable($0) }
        }
        lines.append("")
        lines.append(diagnosis.captures ? "A crash here is caught." : Terminal.red("A crash here would be lost."))
        text = lines.joined(separator: "\n") + "\n"
    }

    private static func word(_ status: Finding.Status) -> String {
        switch status {
        case .ok: "ok        "
        case .degraded: Terminal.bold("degraded  ")
        case .missing: Terminal.red("missing   ")
        }
    }
}
