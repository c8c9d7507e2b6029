// SPDX-License-Identifier: Apache-2.0
import Synchronization
public import VakaModel

/// The bridge that a program has opted in with, if any. The SDK never makes one by itself.
///
/// May be called from any thread.
public final class ObservationRegistry: Sendable {
    private struct Registration {
        var bridge: ObservationBridge
        var actions: Set<ObservationActionKind>
    }

    /// The program's own.
    public static let shared = ObservationRegistry()

    /// Snapshots that wait for the host at one time: one that hangs is not asked without end.
    private static let mostSnapshots = 16

    private let registration = Mutex<Registration?>(nil)
    private let snapshots = Mutex(0)

    /// One of its own, for programs that serve several.
    public init() {}

    /// From now on the program can be observed and driven by this bridge, which takes the place of an earlier one. Kinds of
    /// actions that are not among `supportedActions` are refused before the bridge is asked.
    public func register(
        _ bridge: ObservationBridge,
        supportedActions: some Sequence<ObservationActionKind> =
            ObservationActionKind.allCases
    ) {
        let actions = Set(supportedActions)
        registration.withLock { $0 = Registration(bridge: bridge, actions: actions) }
    }

    /// From now on it cannot be. What the bridge does at this moment ends as ``ObservationBridge/stop()`` says.
    public func unregister() {
        let bridge = registration.withLock { registration in
            let bridge = registration?.bridge
            registration = nil
            return bridge
        }
        bridge?.stop()
    }

    /// What `/health` says.
    public var state: ObservationBridgeState {
        registration.withLock { $0 }.map { .available($0.actions) } ?? .unavailable(.notRegistered)
    }

    /// Captures the screen.
    ///
    /// - Throws: `bridgeUnavailable`, `appNotActive`; `badReply` where 16 others wait for the host already.
    public func snapshot() async throws(ObservationFailure) -> ObservationSnapshot {
        let registration = try active()
        let fits = snapshots.withLock { count in
            guard count < Self.mostSnapshots else { return false }
            count += 1
            return true
        }
        guard fits else { throw .badReply }
        defer { snapshots.withLock { $0 -= 1 } }
        return await registration.bridge.snapshot()
    }

    /// Does an action. A rejection is a result.
    ///
    /// - Throws: `bridgeUnavailable`, `appNotActive`.
    public func perform(_ action: ObservationAction) async throws(ObservationFailure) -> ObservationActionResult {
        let registration = try active()
        guard registration.actions.contains(action.kind) else { return .rejected(.unsupportedAction) }
        return await registration.bridge.perform(action)
    }

    private func active() throws(ObservationFailure) -> Registration {
        guard let registration = registration.withLock({ $0 }) else { throw .bridgeUnavailable }
        guard registration.bridge.isActive else { throw .appNotActive }
        return registration
    }
}
