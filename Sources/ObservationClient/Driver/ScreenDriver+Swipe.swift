// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension ScreenDriver {
    /// Swipes over the screen, or in a container of it: a container that the bridge told of scrolls, and a screen of which
    /// it told something is swiped by it.
    public func swipeOn(
        _ stroke: Stroke, in container: ScreenSelector? = nil
    ) throws(DriverError) -> DriverResult {
        let screen = try observe()
        let node: ScreenNode?
        if let container { node = try find(container, in: screen) } else { node = nil }
        // Edges are the system's, which a bridge does not see.
        guard !stroke.isFromEdge, let client else { return try swipe(stroke, nil) }
        if let node, let identity = node.bridge { return try scroll(stroke, identity, client) }
        guard node == nil, screen.hasBridgeNodes, let capture = screen.captureIdentity else {
            return try swipe(stroke, nil)
        }
        if stroke.isBoomerang { return try swipe(stroke, .unsupported) }
        let action = ObservationAction.swipe(
            observationIdentity: capture, start: stroke.start, end: stroke.end, durationMs: stroke.time)
        switch try dispatch(action, stroke, client) {
        case .done(let next): return DriverResult(.sdk, next: next)
        case .standIn(let reason): return try swipe(stroke, reason)
        }
    }

    private func scroll(
        _ stroke: Stroke, _ identity: ScreenNode.BridgeIdentity, _ client: ObservationClient
    ) throws(DriverError) -> DriverResult {
        if stroke.isBoomerang { return try swipe(stroke, .unsupported) }
        let action = ObservationAction.scroll(
            observationIdentity: identity.capture, elementId: identity.elementId, delta: stroke.delta)
        switch try dispatch(action, stroke, client) {
        case .done(let next):
            var result = DriverResult(.sdk, next: next)
            result.durationIgnored = true
            if stroke.durationMs != nil {
                result.warning = "a scroll of the bridge takes no time: durationMs was ignored"
            }
            return result
        case .standIn(let reason): return try swipe(stroke, reason)
        }
    }

    private func dispatch(
        _ action: ObservationAction, _ stroke: Stroke, _ client: ObservationClient
    ) throws(DriverError) -> BridgeOutcome {
        try fence()
        return try .of { () throws(ObservationRequestError) in
            try client.perform(action, within: Self.budget(durationMs: stroke.time))
        }
    }

    private func fence() throws(DriverError) {
        guard fallback?.isDisplayUnchanged() ?? true else {
            throw DriverError("display_changed", "the screen that was looked at is another one by now")
        }
    }

    func swipe(_ stroke: Stroke, _ reason: FallbackReason?) throws(DriverError) -> DriverResult {
        try fence()
        return try standIn(reason) { fallback in
            try fallback.swipe(from: stroke.start, to: stroke.end, durationMs: stroke.time)
            if stroke.isBoomerang { try fallback.swipe(from: stroke.end, to: stroke.start, durationMs: stroke.time) }
        }
    }
}
