// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Network records on their way to the queue: a few at a time, so that a busy program loses records and nothing else.
struct RecordIntake {
    /// Records that wait in memory for the writing thread.
    static let limit = 512
    /// In one go, and in each second after that.
    static let burst = 1000.0
    static let perSecond = 20.0

    enum Verdict {
        case kept
        /// The first of those that wait: somebody has to come for them.
        case first
        case overflow
        case tooMany
    }

    private var records: [NetworkRequestEvent] = []
    private var left = Self.burst
    private var counted: Duration?

    mutating func add(_ record: NetworkRequestEvent, at uptime: Duration) -> Verdict {
        if let counted { left = min(Self.burst, left + (uptime - counted) / .seconds(1) * Self.perSecond) }
        counted = uptime
        guard records.count < Self.limit else { return .overflow }
        // A connection whose beginning is known has its end told, however much went over it.
        if record.connectionID == nil || !record.phase.isTerminal {
            guard left >= 1 else { return .tooMany }
            left -= 1
        }
        records.append(record)
        return records.count == 1 ? .first : .kept
    }

    mutating func take() -> [NetworkRequestEvent] {
        defer { records = [] }
        return records
    }
}
