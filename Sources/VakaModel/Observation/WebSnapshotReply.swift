// SPDX-License-Identifier: Apache-2.0

/// The answer to a request for a web view's snapshot.
public struct WebSnapshotReply: Codable, Hashable, Sendable {
    /// Whose snapshot it is.
    public var webViewId: String
    public var snapshot: WebSnapshot
    /// All that are registered, as `/health` lists them.
    public var webViews: [WebViewState]

    /// An answer.
    public init(webViewId: String, snapshot: WebSnapshot, webViews: [WebViewState]) {
        self.webViewId = webViewId
        self.snapshot = snapshot
        self.webViews = webViews
    }
}
