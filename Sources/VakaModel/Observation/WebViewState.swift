// SPDX-License-Identifier: Apache-2.0

/// One web view that a program has opted in with.
public struct WebViewState: Codable, Hashable, Sendable {
    public var webViewId: String
    /// The page that it showed last, without what may be secret of an address: user, password, query and fragment.
    public var url: String?
    /// Sorted.
    public var allowedOrigins: [String]
    /// Whether the page's process lives.
    public var contentProcessAvailable: Bool

    /// The state of a web view; its bridge says it.
    public init(webViewId: String, url: String?, allowedOrigins: [String], contentProcessAvailable: Bool) {
        self.webViewId = webViewId
        self.url = url
        self.allowedOrigins = allowedOrigins.sorted()
        self.contentProcessAvailable = contentProcessAvailable
    }
}
