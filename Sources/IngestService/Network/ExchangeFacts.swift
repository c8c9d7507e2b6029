// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// What came of an exchange, in few words.
enum ExchangeFacts {
    static func outcome(_ record: NetworkRequestEvent, _ phase: NetworkPhase) -> HTML {
        var parts: [HTML] = []
        if let status = record.statusCode, status > 0 {
            parts.append(tag("span", [.className(status >= 400 ? "badge missing" : "badge")], .text(String(status))))
        }
        if let error = record.error {
            parts.append(tag("span", [.className("badge missing")], .text(error)))
        } else if !phase.isTerminal {
            parts.append(tag("span", [.className("badge waiting")], .text(words(phase, record))))
        } else if phase != .completed || parts.isEmpty {
            parts.append(tag("span", [.className("badge")], .text(phase.rawValue)))
        }
        return tag("div", [.className("facts")], children: parts)
    }

    private static func words(_ phase: NetworkPhase, _ record: NetworkRequestEvent) -> String {
        switch (phase, record.direction) {
        case (.started, _): "in flight"
        case (_, NetworkDirection.send?): "sent"
        case (_, NetworkDirection.receive?): "received"
        default: phase.rawValue
        }
    }

    static func duration(_ record: NetworkRequestEvent) -> String {
        guard let duration = record.knownDuration, duration > 0 else { return "–" }
        return span(duration)
    }

    static func span(_ milliseconds: Double?) -> String {
        guard let milliseconds else { return "–" }
        guard milliseconds.isFinite, milliseconds >= 0, milliseconds < 1e15 else { return "?" }
        guard milliseconds < 100 else { return Words.span(Int64(milliseconds)) }
        let tenths = Int(milliseconds * 10)
        return "\(tenths / 10).\(tenths % 10) ms"
    }

    static func size(_ bytes: Double?) -> String {
        guard let bytes, bytes.isFinite, bytes >= 0, bytes < 1e18 else { return "–" }
        return Words.size(UInt64(bytes))
    }

    static func size(_ bytes: Int64?) -> String {
        guard let bytes, bytes >= 0 else { return "not known" }
        return Words.size(UInt64(bytes))
    }
}
