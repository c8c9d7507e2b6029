// SPDX-License-Identifier: Apache-2.0

/// The web views of a program, as its `/health` lists them: in the order in which they were registered.
public struct WebViewBridgeState: Codable, Hashable, Sendable {
    public var schemaVersion: Int
    public var webViews: [WebViewState]

    /// These web views.
    public init(_ webViews: [WebViewState]) {
        schemaVersion = ObservationSnapshot.schemaVersion
        self.webViews = webViews
    }
}
