// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Vaka
public import VakaModel

/// Records where people go in a program: as a screen, which later reports have among their breadcrumbs. Thread-safe.
///
/// Nothing is recorded before the SDK's start. A stop of the SDK forgets what was registered: after a restart it must be
/// registered again.
public final class NavigationCapture: Sendable {
    /// Changes what is kept of an event, or drops it by nil. Called with no lock held, on the thread that recorded.
    public typealias Redactor = @Sendable (NavigationEvent) -> NavigationEvent?

    private struct State {
        var registered: Set<NavigationFamily> = []
        var redactor: Redactor = { $0 }
        var isRunning = false
    }

    private let state = Mutex(State())
    let whenChanged = Mutex<(@Sendable () -> Void)?>(nil)
    private let keep: @Sendable (NavigationEvent) -> Void

    /// The one of the process.
    public static var shared: NavigationCapture { NetworkCapture.shared.navigation }

    init(keep: @escaping @Sendable (NavigationEvent) -> Void = NavigationCapture.screen) {
        self.keep = keep
    }

    @Sendable private static func screen(_ event: NavigationEvent) {
        var data = event.arguments
        data["family"] = .string(event.family.rawValue)
        data["from"] = event.source.map { .string($0) }
        data["trigger"] = event.trigger.map { .string($0) }
        Vaka.addBreadcrumb(category: "navigation", message: event.destination, data: data)
        Vaka.screen(event.destination)
    }

    /// A descriptor for each `NavigationFamily`, in their order. What has no adapter here says so, whatever the SDK does.
    public func hostIntegrationCapabilities() -> [CapabilityDescriptor] {
        let state = state.withLock { $0 }
        return NavigationFamily.allCases.map { family in
            func not(_ word: CapabilityState, _ reason: CapabilityReason) -> CapabilityDescriptor {
                CapabilityDescriptor(id: family.rawValue, state: word, reason: reason)
            }
            guard family.hasAdapter else { return not(.unsupported, .noAdapter) }
            guard state.isRunning else { return not(.notInitialized, .notInitialized) }
            guard state.registered.contains(family) else { return not(.disabled, .hostOptIn) }
            return CapabilityDescriptor(id: family.rawValue, state: .supported)
        }
    }

    /// The adapter for links that open the program; the program still opens them. `redactor`, where one is given, takes the
    /// place of the one before, for every family.
    @discardableResult
    public func registerDeepLinks(redactor: Redactor? = nil) -> DeepLinkAdapter {
        register(.deepLink, redactor)
        return DeepLinkAdapter(self)
    }

    /// The adapter for a router of the program's own.
    @discardableResult
    public func registerCustomRouter(redactor: Redactor? = nil) -> CustomRouterAdapter {
        register(.custom, redactor)
        return CustomRouterAdapter(self)
    }

    private func register(_ family: NavigationFamily, _ redactor: Redactor?) {
        let isNew = state.withLock { state in
            if let redactor { state.redactor = redactor }
            return state.registered.insert(family).inserted
        }
        if isNew { changed() }
    }

    func record(_ event: NavigationEvent) {
        let redactor = state.withLock { state in
            state.isRunning && state.registered.contains(event.family) ? state.redactor : nil
        }
        guard let redactor, let kept = redactor(event), !kept.destination.isEmpty else { return }
        keep(kept)
    }

    func sdkStarted() {
        state.withLock { $0.isRunning = true }
    }

    func sdkStopped() {
        state.withLock { state in
            state.isRunning = false
            state.registered = []
        }
    }

    private func changed() {
        whenChanged.withLock { $0 }?()
    }
}
