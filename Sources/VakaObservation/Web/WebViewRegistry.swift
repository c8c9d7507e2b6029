// SPDX-License-Identifier: Apache-2.0
import Synchronization
public import VakaModel

/// The web views that a program has opted in with, each by itself. The SDK never registers one.
///
/// May be called from any thread.
public final class WebViewRegistry: Sendable {
    /// The program's own.
    public static let shared = WebViewRegistry()

    private let views = Mutex<[WebViewBridge]>([])

    /// One of its own, for programs that serve several.
    public init() {}

    /// From now on it can be read and driven; it takes the place of one of the same name.
    public func register(_ bridge: WebViewBridge) {
        views.withLock { views in
            if let index = views.firstIndex(where: { $0.webViewId == bridge.webViewId }) {
                views[index] = bridge
            } else {
                views.append(bridge)
            }
        }
    }

    /// From now on it cannot be.
    public func unregister(_ bridge: WebViewBridge) {
        views.withLock { $0.removeAll { $0 === bridge } }
    }

    /// What `/health` says.
    public var state: WebViewBridgeState { WebViewBridgeState(views.withLock { $0 }.map(\.viewState)) }

    /// The latest snapshot of a web view; nil for the first.
    ///
    /// - Throws: `bridgeUnavailable` where there is none, and what ``WebViewBridge/snapshot()`` throws.
    public func snapshot(_ webViewId: String?) throws(ObservationFailure) -> WebSnapshotReply {
        let view = try find(webViewId)
        return WebSnapshotReply(
            webViewId: view.webViewId, snapshot: try view.snapshot(), webViews: state.webViews)
    }

    /// Has a page do something; a rejection is a result.
    ///
    /// - Throws: `bridgeUnavailable` where there is no such web view, and what ``WebViewBridge/perform(_:within:)`` throws.
    public func perform(_ action: WebAction, in webViewId: String) async throws(ObservationFailure) -> WebActionResult {
        try await find(webViewId).perform(action)
    }

    func find(_ webViewId: String?) throws(ObservationFailure) -> WebViewBridge {
        let view = views.withLock { views in
            guard let webViewId else { return views.first }
            return views.first { $0.webViewId == webViewId }
        }
        guard let view else { throw .bridgeUnavailable }
        return view
    }

    /// The one that a page's script belongs to.
    func find(pageToken: String) -> WebViewBridge? {
        views.withLock { views in views.first { RandomToken.isEqual($0.pageToken, pageToken) } }
    }
}
