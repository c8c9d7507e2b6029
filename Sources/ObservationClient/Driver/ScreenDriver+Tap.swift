// SPDX-License-Identifier: Apache-2.0
public import VakaModel

extension ScreenDriver {
    /// A way to tap.
    public enum Tap: Hashable, Sendable {
        case single
        case double
        case long(durationMs: Int)
    }

    /// Looks at the screen and taps the node that is meant: through the bridge or the page that told of it.
    ///
    /// - Throws: `no_target`, every rejection and failure but those for which the fallback stands in.
    public func tapOn(_ selector: ScreenSelector, _ tap: Tap = .single) throws(DriverError) -> DriverResult {
        try tapOn(try find(selector, in: try observe()), tap)
    }

    /// Taps a node of an observation.
    public func tapOn(_ node: ScreenNode, _ tap: Tap = .single) throws(DriverError) -> DriverResult {
        if let identity = node.bridge, let client {
            return try settle(try bridgeTap(identity, tap, client), node, tap)
        }
        if let identity = node.web, let client {
            return try settle(try pageTap(identity, tap, client), node, tap)
        }
        return try standIn(nil) { try $0.tap(tap, at: node.bounds.center) }
    }

    private func settle(_ outcome: BridgeOutcome, _ node: ScreenNode, _ tap: Tap) throws(DriverError) -> DriverResult {
        switch outcome {
        case .done(let next): return DriverResult(.sdk, next: next)
        case .standIn(let reason): return try standIn(reason) { try $0.tap(tap, at: node.bounds.center) }
        }
    }

    private func bridgeTap(
        _ identity: ScreenNode.BridgeIdentity, _ tap: Tap, _ client: ObservationClient
    ) throws(DriverError) -> BridgeOutcome {
        let action: ObservationAction
        var budget = ObservationClient.totalBudget
        switch tap {
        case .double: return .standIn(.unsupported)
        case .single: action = .tap(observationIdentity: identity.capture, elementId: identity.elementId)
        case .long(let duration):
            action = .longPress(
                observationIdentity: identity.capture, elementId: identity.elementId, durationMs: duration)
            budget = Self.budget(durationMs: duration)
        }
        return try .of { () throws(ObservationRequestError) in try client.perform(action, within: budget) }
    }

    private func pageTap(
        _ identity: ScreenNode.WebIdentity, _ tap: Tap, _ client: ObservationClient
    ) throws(DriverError) -> BridgeOutcome {
        guard tap == .single,
            let action = WebAction(.click, snapshotId: identity.snapshotId, elementId: identity.elementId)
        else { return .standIn(.unsupported) }
        return try .web { () throws(ObservationRequestError) in try client.perform(action, in: identity.webViewId) }
    }

    /// What a gesture takes and three seconds, but never less than five.
    static func budget(durationMs: Int) -> Duration {
        max(ObservationClient.totalBudget, .milliseconds(durationMs) + .seconds(3))
    }

    /// How long an action may take, its answer included: what its gesture takes and three seconds, but never less than five.
    public static func budget(of action: ObservationAction) -> Duration {
        switch action {
        case .longPress(_, _, let duration), .swipe(_, _, _, let duration): budget(durationMs: duration)
        default: ObservationClient.totalBudget
        }
    }
}

extension FallbackExecutor {
    fileprivate func tap(_ tap: ScreenDriver.Tap, at point: ScreenPoint) throws {
        switch tap {
        case .single: try self.tap(at: point)
        case .double: try doubleTap(at: point)
        case .long(let duration): try longPress(at: point, durationMs: duration)
        }
    }
}
