// SPDX-License-Identifier: Apache-2.0

/// How a session ended, or that it has not.
public struct SessionStatus: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let ok = SessionStatus(rawValue: "ok")
    public static let exited = SessionStatus(rawValue: "exited")
    public static let errored = SessionStatus(rawValue: "errored")
    public static let crashed = SessionStatus(rawValue: "crashed")
    public static let abnormal = SessionStatus(rawValue: "abnormal")
}

/// One use of the program, from its start to its end.
public struct Session: Codable, Hashable, Sendable {
    public var id: String
    public var started: Timestamp
    public var status: SessionStatus
    /// Seconds from start to end; nil while it lasts or where the end is unknown.
    @ExplicitNull public var duration: Double?
    /// Handled errors captured in it.
    @ExplicitNull public var errors: Int?
    @ExplicitNull public var release: String?
    @ExplicitNull public var environment: String?
    /// What ended it, where the status leaves that open: `asked`, `killed`, `out_of_memory`, `machine_down`, `unknown`.
    public var cause: String?
    /// Seconds, of one that is a window of time in a longer run.
    public var window: Double?
    /// What became of the requests that the program served in it, by outcome.
    public var requests: [String: Int64]?
    /// The share of sessions that the client tells of, where that is not each.
    public var sampleRate: Double?

    public init(
        id: String, started: Timestamp, status: SessionStatus, duration: Double? = nil, errors: Int? = nil,
        release: String? = nil, environment: String? = nil
    ) {
        self.id = id
        self.started = started
        self.status = status
        self.duration = duration
        self.errors = errors
        self.release = release
        self.environment = environment
    }

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case id, started, status, duration, errors, release, environment, cause
        case window = "window_s"
        case requests
        case sampleRate = "sample_rate"
    }
}
