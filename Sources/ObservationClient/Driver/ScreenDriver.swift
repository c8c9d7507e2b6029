// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Observes and drives a screen through the bridge of its program, where there is one, and through a fallback where the
/// rules let it stand in. What a bridge rejects is not tried again by other means: something else may be at that place
/// now.
///
/// Not for use from several threads at once: what it did last decides what it may do next.
public final class ScreenDriver {
    let client: ObservationClient?
    let fallback: (any FallbackExecutor)?
    /// Told of what is odd and yet goes on.
    public var log: (String) -> Void = { _ in }
    /// How long a page is given to post what a scroll changed.
    let pause: (Duration) -> Void

    /// A driver of one side or both. `pause` waits, for tests that do not.
    public init(
        client: ObservationClient?, fallback: (any FallbackExecutor)? = nil,
        pause: @escaping (Duration) -> Void = Pause.sleep
    ) {
        self.client = client
        self.fallback = fallback
        self.pause = pause
    }

    // MARK: Observing

    /// What is on the screen now, of both sides.
    ///
    /// - Throws: `no_fallback` where neither side tells anything, `fallback_failed`.
    public func observe() throws(DriverError) -> Screen {
        let seen = try hierarchy()
        let (told, reason) = try bridgeSnapshot(needed: seen == nil)
        var screen = Screen(root: seen ?? ScreenNode(bounds: told?.bounds ?? .zero, role: .window))
        if let told {
            if let merged = BridgeMerge.merge(told, into: screen.root) {
                screen.root = merged
                screen.backend = .sdk
                screen.captureIdentity = told.captureIdentity
            } else if seen == nil {
                // Without a fallback nothing is mixed, and nothing is tapped by its place.
                screen.root.children = BridgeMerge.nodes(told)
                screen.backend = .sdk
                screen.captureIdentity = told.captureIdentity
            } else {
                screen.backend = .fallback
                screen.fallbackReason = .unavailable
            }
        } else if let reason {
            screen.backend = .fallback
            screen.fallbackReason = reason
        }
        mergePage(into: &screen)
        return screen
    }

    private func hierarchy() throws(DriverError) -> ScreenNode? {
        guard let fallback else { return nil }
        do {
            return try fallback.hierarchy()
        } catch {
            throw DriverError("fallback_failed", "\(error)")
        }
    }

    /// Nil and nil where the program has none registered.
    private func bridgeSnapshot(
        needed: Bool
    ) throws(DriverError) -> (snapshot: ObservationSnapshot?, reason: FallbackReason?) {
        do throws(ObservationRequestError) {
            guard let client else { throw ObservationRequestError(.bridgeUnavailable, "no bridge is asked") }
            return (try client.snapshot(), nil)
        } catch {
            if needed { throw DriverError(error.failure.rawValue, error.message) }
            return (nil, hasBridge ? .unavailable : nil)
        }
    }

    /// False also where the probe is not answered: then nothing is known.
    private var hasBridge: Bool {
        if case .available? = try? client?.bridgeState() { return true }
        return false
    }

    /// Where it is certain that the screen's only web view is the program's only one.
    private func mergePage(into screen: inout Screen) {
        guard let client, hasOneWebView(screen) else { return }
        do throws(ObservationRequestError) {
            let reply = try client.webSnapshot()
            guard let merged = WebMerge.merge(reply, into: screen.root, ofFallback: fallback != nil) else { return }
            screen.root = merged
            screen.backend = screen.backend ?? .sdk
        } catch {
            if error.failure == .badReply { log("the page's snapshot cannot be read: \(error)") }
        }
    }

    /// What the bridge tells of the program's web views counts where nobody else tells of them.
    func hasOneWebView(_ screen: Screen) -> Bool {
        WebMerge.outermost(in: screen.root, ofFallback: fallback != nil).count == 1
    }

    // MARK: The fallback

    /// Has the fallback do something.
    func standIn(
        _ reason: FallbackReason?, _ work: (any FallbackExecutor) throws -> Void
    ) throws(DriverError) -> DriverResult {
        guard let fallback else {
            throw DriverError("no_fallback", reason.map { "the bridge is \($0)" } ?? "the bridge has no part in this")
        }
        do {
            try work(fallback)
        } catch {
            throw DriverError("fallback_failed", "\(error)")
        }
        return DriverResult(reason == nil ? nil : .fallback, reason)
    }

    func find(_ selector: ScreenSelector, in screen: Screen) throws(DriverError) -> ScreenNode {
        guard let node = selector.find(in: screen.root) else {
            throw DriverError("no_target", "nothing on the screen is that")
        }
        return node
    }
}
