// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// A network record that is stored. Of one from a list neither headers nor bodies nor their sizes are read.
package struct StoredExchange: Sendable {
    /// The row's; it has nothing to do with the exchange's own id.
    package var id: Int64
    package var installID: String?
    package var receivedAt: Timestamp
    package var phase: NetworkPhase
    /// Under which it is counted.
    package var site: String
    package var route: String
    package var record: NetworkRequestEvent
}

/// A network record of the spool, ready to be stored.
package struct ReadyExchange: Sendable {
    package var sequence: Int64
    package var project: Int64
    package var itemID: String
    package var installID: String?
    package var receivedAt: Timestamp
    package var record: NetworkRequestEvent

    package init(
        sequence: Int64, project: Int64, itemID: String, installID: String?, receivedAt: Timestamp,
        record: NetworkRequestEvent
    ) {
        self.sequence = sequence
        self.project = project
        self.itemID = itemID
        self.installID = installID
        self.receivedAt = receivedAt
        self.record = record
    }
}

/// Which records are listed.
package struct NetworkQuery: Hashable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        /// Exchanges that have not ended: the last that is known of each.
        case live
        /// Those that failed, or were answered with a status of 400 or more.
        case error
        /// Those that took long.
        case slow
    }

    package var state: State?
    /// Milliseconds, from which on an exchange is slow.
    package var slow = Self.usualSlow
    package static let usualSlow = 1000.0
    package var site: String?
    package var route: String?
    package var requestID: String?
    package var installID: String?

    package init() {}
}

/// What is counted of one exchange that has ended.
package struct ExchangeMeasure: Sendable {
    package var site: String
    package var route: String
    package var milliseconds: Double
    package var isError: Bool
    /// Negative where it is not known.
    package var sent: Int64
    package var received: Int64
}

/// What the sessions of a program could tell.
package struct StoredCapabilities: Sendable {
    package var id: Int64
    package var installID: String?
    package var receivedAt: Timestamp
    package var report: CapabilityReport
}

/// Something that an operator should know of what programs send.
package struct StoredDiagnostic: Hashable, Sendable {
    package var id: Int64
    package var at: Timestamp
    package var level: String
    package var tag: String
    package var code: String
    package var installID: String?
    /// A JSON document.
    package var message: String

    package init(
        id: Int64, at: Timestamp, level: String, tag: String, code: String, installID: String?, message: String
    ) {
        self.id = id
        self.at = at
        self.level = level
        self.tag = tag
        self.code = code
        self.installID = installID
        self.message = message
    }
}
