// SPDX-License-Identifier: Apache-2.0

/// How a hang ended.
public struct HangOutcome: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// What hung went on.
    public static let recovered = HangOutcome(rawValue: "recovered")
    /// The program ended before it did.
    public static let ended = HangOutcome(rawValue: "ended")
}

/// What an event of the type `hang` tells of the hang. Times are in seconds, without those in which the whole machine or
/// the process was stopped.
public struct Hang: Codable, Hashable, Sendable {
    /// The watch's name, `main` for the main thread.
    public var watch: String
    /// After which the watch calls it a hang.
    public var bound: Double
    /// How long it had not gone on when the threads were captured.
    public var stuck: Double
    /// Nil while nobody has told how it ended.
    @ExplicitNull public var outcome: HangOutcome?
    /// How long it lasted in all, where it is over.
    @ExplicitNull public var duration: Double?

    public init(
        watch: String, bound: Double, stuck: Double, outcome: HangOutcome? = nil, duration: Double? = nil
    ) {
        self.watch = watch
        self.bound = bound
        self.stuck = stuck
        self.outcome = outcome
        self.duration = duration
    }

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case watch
        case bound = "bound_s"
        case stuck = "stuck_s"
        case outcome
        case duration = "duration_s"
    }
}
