// SPDX-License-Identifier: Apache-2.0
public import VakaModel

/// Which side observed, or did what was asked.
public struct Backend: OpenEnum {
    /// The word, as it is written.
    public let rawValue: String
    /// A word of one's own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The program's own bridge.
    public static let sdk = Backend(rawValue: "sdk")
    /// What drives the screen from outside.
    public static let fallback = Backend(rawValue: "fallback")
}

/// Why the fallback stood in for the bridge.
public struct FallbackReason: OpenEnum {
    /// The word, as it is written.
    public let rawValue: String
    /// A word of one's own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The bridge is not there, or does not tell what is needed.
    public static let unavailable = FallbackReason(rawValue: "unavailable")
    /// The bridge has no such action.
    public static let unsupported = FallbackReason(rawValue: "unsupported")
}
