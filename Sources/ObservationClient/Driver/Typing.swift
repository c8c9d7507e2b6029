// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// A field that is typed into, and what is known of it.
struct Typing {
    /// Who has the field; nobody's is typed into where the focus is, by the fallback.
    private enum Field {
        case bridge(ScreenNode.BridgeIdentity)
        case page(ScreenNode.WebIdentity)
        /// The page no longer shows it, or shows another document.
        case lost
        case movedAway
        case none
    }

    private let driver: ScreenDriver
    private var field = Field.none
    /// The screen was read since the field has the focus.
    private var isRead = false

    init(driver: ScreenDriver) { self.driver = driver }

    mutating func focus(_ node: ScreenNode) throws(DriverError) {
        // The tap stays with the fallback, whoever told of the field.
        if driver.fallback != nil { _ = try driver.standIn(nil) { try $0.tap(at: node.bounds.center) } }
        if let identity = node.bridge {
            field = .bridge(identity)
        } else if let identity = node.web, identity.documentId != nil, ["input", "textarea"].contains(identity.role) {
            field = .page(identity)
        } else {
            field = .none
        }
        isRead = false
    }

    mutating func run(_ command: TypingCommand) throws(DriverError) -> DriverResult {
        switch command {
        case .type(let text): return try type(text, afterClear: false)
        case .clear: return try clear()
        case .press(let key): return try press(key)
        case .replace(let text):
            let cleared = try clear()
            let typed = try type(text, afterClear: cleared.backend == .sdk)
            // Where both sides had a part in it, that is what counts.
            return cleared.backend == .fallback ? cleared : typed
        }
    }

    private mutating func clear() throws(DriverError) -> DriverResult {
        try look()
        let outcome: BridgeOutcome
        switch field {
        case .bridge(let identity):
            outcome = try bridge(
                .clearText(observationIdentity: identity.capture, elementId: identity.elementId), identity)
        case .page(let identity): outcome = try page(.clear, identity)
        case .lost: outcome = .standIn(.unavailable)
        case .movedAway: throw Self.movedAway
        case .none: return try driver.standIn(nil) { try $0.clear() }
        }
        return try settle(outcome) { try $0.clear() }
    }

    private mutating func type(_ text: String, afterClear: Bool) throws(DriverError) -> DriverResult {
        try look()
        let outcome: BridgeOutcome
        switch field {
        case .bridge(let identity):
            outcome = try bridge(
                .insertText(observationIdentity: identity.capture, elementId: identity.elementId, text: text), identity)
        // It would replace what is there already.
        case .page(let identity): outcome = afterClear ? try page(.setValue, identity, text) : .standIn(.unsupported)
        case .lost: outcome = .standIn(.unavailable)
        case .movedAway: throw Self.movedAway
        case .none: return try driver.standIn(nil) { try $0.type(text) }
        }
        return try settle(outcome) { try $0.type(text) }
    }

    private mutating func press(_ key: KeyboardKey) throws(DriverError) -> DriverResult {
        if key != .tab { try look() }
        let outcome: BridgeOutcome?
        switch field {
        case .bridge: outcome = key == .tab ? nil : .standIn(.unsupported)
        case .page(let identity) where key == .done: outcome = try page(.submit, identity)
        case .page: outcome = key == .tab ? nil : .standIn(.unsupported)
        case .lost: outcome = key == .tab ? nil : .standIn(.unavailable)
        case .movedAway: throw Self.movedAway
        case .none: outcome = nil
        }
        // The focus may be elsewhere, and the page another.
        field = .none
        guard let outcome else { return try driver.standIn(nil) { try $0.press(key) } }
        return try settle(outcome) { try $0.press(key) }
    }

    private func settle(
        _ outcome: BridgeOutcome, _ work: (any FallbackExecutor) throws -> Void
    ) throws(DriverError) -> DriverResult {
        switch outcome {
        case .done(let next): return DriverResult(.sdk, next: next)
        case .standIn(let reason): return try driver.standIn(reason, work)
        }
    }

    /// Any capture makes earlier ones stale: of each accepted action the next one is taken.
    private mutating func bridge(
        _ action: ObservationAction, _ identity: ScreenNode.BridgeIdentity
    ) throws(DriverError) -> BridgeOutcome {
        guard let client = driver.client else { return .standIn(.unavailable) }
        let outcome = try BridgeOutcome.of { () throws(ObservationRequestError) in
            try client.perform(action, within: ObservationClient.totalBudget)
        }
        if case .done(let next?) = outcome {
            field = .bridge(ScreenNode.BridgeIdentity(elementId: identity.elementId, capture: next))
        }
        return outcome
    }

    private func page(
        _ kind: WebAction.Kind, _ identity: ScreenNode.WebIdentity, _ text: String? = nil
    ) throws(DriverError) -> BridgeOutcome {
        guard let client = driver.client,
            let action = WebAction(
                kind, snapshotId: identity.snapshotId, elementId: identity.elementId, text: text)
        else { return .standIn(.unavailable) }
        return try .web { () throws(ObservationRequestError) in try client.perform(action, in: identity.webViewId) }
    }

    /// The field had the focus since an observation that may be stale by now. A bridge's actions tell of the captures
    /// after them; a page posts snapshots by itself, and only the latest few are good: it is looked at before each.
    private mutating func look() throws(DriverError) {
        let isFirst = !isRead
        isRead = true
        switch field {
        case .bridge(let known):
            guard isFirst, let capture = try driver.observe().captureIdentity else { return }
            field = .bridge(ScreenNode.BridgeIdentity(elementId: known.elementId, capture: capture))
        case .page(let known):
            // Once something was done there, the fallback stands in no more: what the page makes of it counts.
            let shown = Self.page(known, in: try driver.observe())
            field = shown ?? (isFirst ? .lost : field)
        case .lost, .movedAway, .none: return
        }
    }

    /// Nil where it is not shown.
    private static func page(_ known: ScreenNode.WebIdentity, in screen: Screen) -> Field? {
        let shown = screen.root.all.compactMap(\.web).filter { $0.webViewId == known.webViewId }
        guard let same = shown.first(where: { $0.elementId == known.elementId }) else { return nil }
        return same.documentId == known.documentId ? .page(same) : .movedAway
    }

    private static let movedAway = DriverError("stale_snapshot", "the page that had the field was left")
}
