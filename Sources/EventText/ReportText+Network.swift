// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension ReportText {
    /// The last exchanges, or why there are none.
    var network: String? {
        let exchanges = event.network?.exchanges ?? []
        let lines = exchanges.isEmpty ? [NetworkAbsence.words(event)].compactMap { $0 } : exchanges.map(line)
        guard !lines.isEmpty else { return nil }
        return style.bold("Network") + "\n" + lines.map { "  \(Self.printable($0))\n" }.joined()
    }

    private func line(_ record: NetworkRequestEvent) -> String {
        let outcome: [String?] = [
            record.statusCode.flatMap { $0 > 0 ? String($0) : nil }, record.error,
            record.phase.isTerminal ? nil : record.phase == .started ? "in flight" : record.phase.rawValue,
            record.knownDuration.flatMap { $0 > 0 ? "\($0) ms" : nil },
        ]
        return "\(record.timestamp)  \(record.method) \(record.url)  "
            + outcome.compactMap { $0 }.joined(separator: ", ")
    }
}
