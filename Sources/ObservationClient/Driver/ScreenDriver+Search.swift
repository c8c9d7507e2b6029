// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension ScreenDriver {
    /// A target that was looked for.
    public struct Found: Hashable, Sendable {
        public var node: ScreenNode
        public var result: DriverResult
        /// Strokes that it took.
        public var swipes: Int
    }

    /// Swipes until the target is in view. Where exactly one element of the screen's page is it, the page scrolls there
    /// first; strokes are the fallback's.
    ///
    /// - Throws: `no_target` when it does not come into view in so many strokes, and whatever a rejected scroll throws.
    public func lookFor(
        _ target: ScreenSelector, swiping stroke: Stroke, atMost swipes: Int = 10
    ) throws(DriverError) -> Found {
        var screen = try observe()
        if let node = target.find(in: screen.root) { return Found(node: node, result: DriverResult(), swipes: 0) }
        var result = DriverResult()
        switch try scrollPage(to: target, on: screen) {
        case .done?:
            pause(.milliseconds(250))
            screen = try observe()
            if let node = target.find(in: screen.root) {
                return Found(node: node, result: DriverResult(.sdk), swipes: 0)
            }
        case .standIn(let reason)?: result = DriverResult(.fallback, reason)
        case nil: break
        }
        for count in 0..<max(0, swipes) {
            _ = try swipe(stroke, nil)
            screen = try observe()
            if let node = target.find(in: screen.root) {
                return Found(node: node, result: result, swipes: count + 1)
            }
        }
        throw DriverError("no_target", "it did not come into view in \(swipes) strokes")
    }

    /// Nil where the page has no part in it.
    private func scrollPage(to target: ScreenSelector, on screen: Screen) throws(DriverError) -> BridgeOutcome? {
        guard let client, let text = target.text, target.container == nil, target.elementId == nil,
            hasOneWebView(screen)
        else { return nil }
        let reply: WebSnapshotReply
        do throws(ObservationRequestError) {
            reply = try client.webSnapshot()
        } catch {
            return error.failure == .bridgeUnavailable ? .standIn(.unavailable) : nil
        }
        guard reply.webViews.count == 1, let element = Self.only(text, in: reply.snapshot),
            let action = WebAction(
                .scrollIntoView, snapshotId: reply.snapshot.snapshotId, elementId: element.id)
        else { return nil }
        return try .web { () throws(ObservationRequestError) in try client.perform(action, in: reply.webViewId) }
    }

    /// The snapshot has elements that are off the screen, too.
    private static func only(_ text: String, in snapshot: WebSnapshot) -> WebElement? {
        let wanted = ScreenSelector.plain(text)
        let named = snapshot.elements.filter { element in
            let value = element.redacted == true ? nil : element.value
            return element.enabled && element.visible
                && [element.label, value].contains { $0.map(ScreenSelector.plain) == wanted }
        }
        return named.count == 1 ? named[0] : nil
    }
}
