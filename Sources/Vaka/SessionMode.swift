// SPDX-License-Identifier: Apache-2.0

extension Vaka {
    /// What a session is.
    public enum SessionMode: Hashable, Sendable {
        /// The program's run, or a use of it where it calls `setActive`.
        case program
        /// A window of time of that length, one after the other, from the start on: for programs that live for weeks, so that
        /// the share of sessions without a crash means something. At least a minute.
        case window(Duration)

        var length: Duration? {
            guard case .window(let length) = self else { return nil }
            return max(length, .seconds(60))
        }
    }

    /// What became of a request.
    public struct RequestOutcome: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        /// A word of one's own, such as `rejected`. At most 32 different ones are counted in a session, the rest as `other`.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It was answered as it should be.
        public static let ok = RequestOutcome(rawValue: "ok")
        /// The service failed.
        public static let errored = RequestOutcome(rawValue: "errored")
        /// Who asked went away.
        public static let cancelled = RequestOutcome(rawValue: "cancelled")
        static let other = RequestOutcome(rawValue: "other")
    }

    /// Counts a request that the program has served: the session tells how many there were of each outcome. Some tens of
    /// nanoseconds; nothing is sent for it. Thread-safe; nothing is counted without sessions.
    ///
    /// Of a session that ends by a crash or a kill the counts are those of at most ten seconds before.
    public static func countRequest(_ outcome: RequestOutcome = .ok) {
        Runtime.client?.countRequest(outcome)
    }
}
