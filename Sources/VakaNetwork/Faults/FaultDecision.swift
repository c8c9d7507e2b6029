// SPDX-License-Identifier: Apache-2.0
public import VakaModel

/// What a rule that matched wants, decided once for an exchange.
public struct FaultDecision: Hashable, Sendable {
    /// What became of a decision, as records tell it.
    public struct Outcome: OpenEnum {
        /// As in records.
        public let rawValue: String
        /// A word of records.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The SDK did it.
        public static let applied = Outcome(rawValue: "applied")
        /// The transport cannot.
        public static let unsupported = Outcome(rawValue: "unsupported")
        /// The host was told.
        public static let evaluated = Outcome(rawValue: "evaluated")
    }

    /// The rule that matched.
    public let ruleID: String
    /// What it wants.
    public let fault: FaultRule.Fault
    /// For how long to wait before it.
    public let delay: Duration
    /// Who does it, or that nobody does.
    public let outcome: Outcome

    /// The error of an exchange that it made fail.
    public var errorText: String { "fault:\(ruleID):\(fault.action)" }

    /// Whether the SDK is to do it.
    var isApplied: Bool { outcome == .applied }

    /// For the record of the exchange.
    public var metadata: [String: JSONValue] {
        [
            NetworkMetadata.faultID: .string(ruleID),
            NetworkMetadata.faultAction: .string(fault.action.rawValue),
            NetworkMetadata.faultOutcome: .string(outcome.rawValue),
            NetworkMetadata.faultDelay: .number(outcome == .unsupported ? 0 : delay / .milliseconds(1)),
        ]
    }

    /// The same of a transport that turns out not to be able to.
    var unsupported: FaultDecision {
        FaultDecision(ruleID: ruleID, fault: fault, delay: delay, outcome: .unsupported)
    }
}
