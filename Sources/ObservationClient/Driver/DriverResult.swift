// SPDX-License-Identifier: Apache-2.0
public import VakaModel

/// How something was done.
public struct DriverResult: Codable, Hashable, Sendable {
    /// Which side did it; nil where a bridge had no part in it.
    public var backend: Backend?
    public var fallbackReason: FallbackReason?
    /// The stroke's time counted for nothing: a bridge's scroll has none.
    public var durationIgnored: Bool?
    /// What the caller should know.
    public var warning: String?
    /// The bridge's capture after it.
    public var nextObservationIdentity: CaptureIdentity?

    init(_ backend: Backend? = nil, _ reason: FallbackReason? = nil, next: CaptureIdentity? = nil) {
        self.backend = backend
        fallbackReason = reason
        nextObservationIdentity = next
    }
}
