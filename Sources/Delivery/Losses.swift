// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Counts what was given up before it could be delivered, for the next batch's `client_report`.
package struct Losses: Hashable, Sendable {
    /// Why something was given up.
    package struct Cause: OpenEnum {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// More than the allowed number of batch files waited.
        package static let queueOverflow = Cause(rawValue: "queue_overflow")
        /// Refused by 413, alone and with all shed.
        package static let tooLarge = Cause(rawValue: "too_large")
        /// A batch file could not be read back.
        package static let unreadable = Cause(rawValue: "unreadable")
        /// More than the allowed number of items waited in memory.
        package static let memoryOverflow = Cause(rawValue: "memory_overflow")

        /// The host's own hooks took it out.
        package static let beforeSend = Cause(rawValue: "before_send")
        package static let beforeBreadcrumb = Cause(rawValue: "before_breadcrumb")
        /// A hook threw an error, took too long, or ended the process: what it should have seen is not sent.
        package static let hookFailed = Cause(rawValue: "hook_failed")
        package static let hookTimeout = Cause(rawValue: "hook_timeout")
        package static let hookCrashed = Cause(rawValue: "hook_crashed")
        /// Reported from within the hook that would have had to see it.
        package static let hookReentered = Cause(rawValue: "hook_reentered")
        /// More network records than a program may send in that time.
        package static let networkRate = Cause(rawValue: "rate_limit")
        /// More network records, or exchanges at a time, than are kept in memory.
        package static let networkOverflow = Cause(rawValue: "network_overflow")
        /// Left out by a sampling rate.
        package static let sampleRate = Cause(rawValue: "sample_rate")

        /// A permanent 4xx.
        package static func refused(_ status: Int) -> Cause { Cause(rawValue: "refused_\(status)") }
    }

    private struct Key: Hashable {
        var cause: Cause
        var kind: String
    }

    private var counts: [Key: Int64] = [:]

    package init() {}

    package var isEmpty: Bool { counts.isEmpty }

    package mutating func add(_ cause: Cause, kind: String, count: Int64 = 1) {
        let sum = counts[Key(cause: cause, kind: kind), default: 0].addingReportingOverflow(count)
        counts[Key(cause: cause, kind: kind)] = sum.overflow ? .max : sum.partialValue
    }

    /// Counts the items; a lost `client_report` is taken apart again, so that what it told of stays told.
    package mutating func add(_ cause: Cause, items: [BatchItem]) {
        for item in items {
            if item.kind == .clientReport { merge(item.payload) } else { add(cause, kind: item.kind.rawValue) }
        }
    }

    package mutating func merge(_ other: Losses) {
        for (key, count) in other.counts { add(key.cause, kind: key.kind, count: count) }
    }

    private mutating func merge(_ payload: JSONValue) {
        guard case .array(let entries) = payload["dropped"] else { return }
        for entry in entries {
            guard let cause = entry["reason"]?.string, let kind = entry["kind"]?.string,
                case .integer(let count) = entry["count"]
            else { continue }
            add(Cause(rawValue: cause), kind: kind, count: count)
        }
    }

    /// `{"timestamp": "…", "dropped": [{"reason": "queue_overflow", "kind": "event", "count": 3}]}`
    package func item(id: String, time: Timestamp) -> BatchItem {
        let ordered = counts.sorted { ($0.key.cause.rawValue, $0.key.kind) < ($1.key.cause.rawValue, $1.key.kind) }
        let entries = ordered.map { key, count -> JSONValue in
            ["reason": .string(key.cause.rawValue), "kind": .string(key.kind), "count": .integer(count)]
        }
        return BatchItem(
            kind: .clientReport, id: id,
            payload: ["timestamp": .string(time.description), "dropped": .array(entries)])
    }
}
