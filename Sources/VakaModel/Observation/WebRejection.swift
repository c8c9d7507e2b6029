// SPDX-License-Identifier: Apache-2.0

/// Why a web view did not do an action that it was asked for.
public struct WebRejection: OpenEnum, Error {
    /// The word, as it is written.
    public let rawValue: String
    /// A word of one's own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The snapshot is none of the document's four latest.
    public static let staleSnapshot = WebRejection(rawValue: "stale_snapshot")
    /// That snapshot has no such element, or it is disabled or hidden there.
    public static let elementNotActionable = WebRejection(rawValue: "element_not_actionable")
    /// The page's origin is none of those that the web view allows.
    public static let disallowedOrigin = WebRejection(rawValue: "disallowed_origin")
    /// The page's process ended, or the web view is gone.
    public static let webProcessUnavailable = WebRejection(rawValue: "web_process_unavailable")
    /// The page's script failed at it: the element is no longer there, for one.
    public static let javascriptError = WebRejection(rawValue: "javascript_error")
}
