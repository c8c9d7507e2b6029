// SPDX-License-Identifier: Apache-2.0

/// What is kept of an exchange.
public struct NetworkCaptureOptions: Hashable, Sendable {
    /// Keeps headers; those that carry credentials are always redacted.
    public var capturesHeaders = false
    /// Keeps the beginnings of bodies that are text. Only in debug builds: in others it does nothing.
    public var capturesBodies = false
    /// Bytes of a body that a recorder keeps; more than 1 MiB is taken for 1 MiB, less than 0 for 0.
    public var maxBodyBytes = 32 * 1024
    /// Bytes of a body that are let out, whoever recorded it; as `maxBodyBytes` for the rest.
    public var maxSentBodyBytes = 32 * 1024
    /// Sends a record of each step of an HTTP exchange, and not only of its end.
    public var recordsEveryStep = false

    /// The defaults.
    public init() {}

    /// Whether this build may keep bodies at all.
    public static var keepsBodies: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    /// Of a body, whatever is asked for.
    static let mostBodyBytes = 1 << 20

    var bodyLimit: Int? { limit(maxBodyBytes) }
    var sentBodyLimit: Int? { limit(maxSentBodyBytes) }

    private func limit(_ bytes: Int) -> Int? {
        capturesBodies && Self.keepsBodies ? min(max(0, bytes), Self.mostBodyBytes) : nil
    }
}
