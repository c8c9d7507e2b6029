// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// Small phrases that several pages use.
enum Words {
    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// How many came, and how many of them are kept.
    static func events(of issue: Issue) -> String {
        let counted = issue.countedOnly > 0 ? ", \(issue.countedOnly) counted only" : ""
        return count(issue.events, "event") + (issue.stored < issue.events ? " (\(issue.stored) kept\(counted))" : "")
    }

    /// To the second, in UTC, and machine-readable beside it.
    static func time(_ timestamp: Timestamp) -> HTML {
        let text = timestamp.description
        let short = text.prefix(19).map { $0 == "T" ? " " : $0 }
        return tag("time", [HTML.Attribute("datetime", text)], .text(String(short) + " UTC"))
    }

    /// How long before the event; the time itself on hover.
    static func before(_ timestamp: Timestamp, _ event: Timestamp) -> HTML {
        let (length, overflow) = event.milliseconds.subtractingReportingOverflow(timestamp.milliseconds)
        let words = overflow ? "?" : length >= 0 ? "−" + span(length) : "+" + span(Int64(clamping: length.magnitude))
        let text = timestamp.description
        return tag("time", [HTML.Attribute("datetime", text), HTML.Attribute("title", text)], .text(words))
    }

    /// In the unit that leaves few digits.
    static func span(_ milliseconds: Int64) -> String {
        let tenths = milliseconds / 100
        switch milliseconds {
        case ..<1000: return "\(milliseconds) ms"
        case ..<120_000: return "\(tenths / 10).\(tenths % 10) s"
        case ..<7_200_000: return "\(milliseconds / 60_000) min"
        case ..<172_800_000: return "\(milliseconds / 3_600_000) h"
        default: return "\(milliseconds / 86_400_000) days"
        }
    }

    /// How long ago, where the page's script runs.
    static func ago(_ timestamp: Timestamp) -> HTML {
        guard case .element(let name, let attributes, let children) = time(timestamp) else { return .nothing }
        return .element(name, attributes + [HTML.Attribute("data-ago", "")], children)
    }

    static func day(_ timestamp: Timestamp) -> HTML {
        let text = String(timestamp.description.prefix(10))
        return tag("time", [HTML.Attribute("datetime", text)], .text(text))
    }

    static func minute(_ timestamp: Timestamp) -> String {
        String(timestamp.description.prefix(16).map { $0 == "T" ? " " : $0 }) + " UTC"
    }

    /// In percent; a dash where there is nothing to share. What is short of all is never written as 100 %.
    static func share(_ part: Int, of all: Int) -> String {
        guard all > 0 else { return "–" }
        let tenths = part * 1000 / all
        let digits = part == all ? "100" : "\(tenths / 10).\(tenths % 10)"
        return digits + " %"
    }

    /// In the largest unit of which there is at least one.
    static func size(_ bytes: UInt64) -> String {
        let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
        let step = min(units.count - 1, max(0, (UInt64.bitWidth - bytes.leadingZeroBitCount - 1) / 10))
        guard step > 0 else { return "\(bytes) bytes" }
        let tenths = (bytes >> UInt64(10 * (step - 1))) * 10 / 1024
        return "\(tenths / 10).\(tenths % 10) \(units[step])"
    }

    /// The issue's status with its terms.
    static func statusBadge(_ issue: Issue) -> HTML {
        let terms = issue.terms
        let words: [String?] = [
            issue.status.rawValue, terms.resolvedIn.map { "in \($0)" }, terms.resolvedAfter.map { "after \($0)" },
            terms.mutedUntil.map { "until \($0)" },
            terms.muteEvents.map { "until \(count($0, "event")) in \((terms.muteWindow ?? 0) / 1000) s" },
        ]
        return tag(
            "span", [.className("badge status-\(issue.status.rawValue)")],
            .text(words.compactMap { $0 }.joined(separator: " ")))
    }

    /// What hangs, for how long, and how it ended.
    static func hang(_ hang: Hang) -> String {
        let start = "\(hang.watch) · did not go on for \(hang.stuck) s (bound \(hang.bound) s)"
        switch hang.outcome {
        case .recovered?: return start + " · went on" + (hang.duration.map { " after \($0) s" } ?? "")
        case .ended?: return start + " · the program ended before it went on"
        default: return start
        }
    }

    /// A level as a part of a class name: one of those the style knows.
    static func level(_ level: String) -> String {
        ["fatal", "error", "warning", "info", "debug"].contains(level) ? level : "info"
    }

    static func trust(_ trust: FrameTrust) -> String {
        switch trust {
        case .context: "registers"
        case .cfi: "call frame information"
        case .stackTop: "top of the stack"
        case .framePointer: "frame pointer"
        case .async: "async context"
        case .scan: "guessed by scanning"
        default: trust.rawValue
        }
    }

    /// Why a frame is not fully named; nil where it is.
    static func status(_ status: FrameStatus?) -> String? {
        switch status {
        case .symbolicated: nil
        case .noDebugInfo: "no debug information"
        case .missingImage: "image not uploaded"
        case .noSymbol: "no symbol in the image"
        case .noModule: "in no module"
        case nil: "not symbolicated"
        case let other?: other.rawValue
        }
    }

    static func image(_ status: ImageStatus?) -> String {
        switch status {
        case .found: "found"
        case .missing: "missing: upload it"
        case .mismatched: "another build is at its path"
        case .malformed: "file is damaged"
        case .unused: "not needed"
        case nil: "not looked for"
        case let other?: other.rawValue
        }
    }
}
