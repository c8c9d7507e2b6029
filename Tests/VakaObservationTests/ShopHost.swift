// SPDX-License-Identifier: Apache-2.0
import Synchronization
import VakaModel
import VakaObservation

/// A program's screen as tests need it: what is on it can be changed, and what it does can be held up.
final class ShopHost: ObservationHost {
    struct State {
        var tree: ElementTree
        var performed: [ObservationAction] = []
        var captures = 0
        var isActive = true
        var refusal: ObservationRejection?
        /// Actions and captures wait until they are let go.
        var holdsActions = false
        var holdsCaptures = false
        var held: [CheckedContinuation<Void, Never>] = []
        var mostAtOnce = 0
        var atOnce = 0
    }

    static let secret = "hunter2-correct-horse"

    let state: Mutex<State>

    init(_ elements: [Element] = ShopHost.shop, space: CoordinateSpace = .screen) {
        state = Mutex(
            State(
                tree: ElementTree(
                    screen: "checkout", coordinateSpace: space,
                    bounds: ElementBounds(x: 0, y: 0, width: 400, height: 800), elements: elements)))
    }

    static func at(_ y: Double, height: Double = 40) -> ElementBounds {
        ElementBounds(x: 10, y: y, width: 200, height: height)
    }

    static let shop: [Element] = [
        Element(id: "title", role: .text, label: "Checkout", bounds: at(0)),
        Element(id: "search", role: .textField, label: "Search", value: "shoes", bounds: at(50)),
        Element(
            id: "password", role: .secureTextField, label: "Password", value: secret, bounds: at(100),
            children: [Element(id: "inner", role: .text, label: secret, value: secret, bounds: at(100))]),
        Element(id: "buy", role: .button, label: "Buy", bounds: at(150)),
        Element(id: "sold-out", role: .button, label: "Notify", bounds: at(200), isEnabled: false),
        Element(id: "hidden", role: .button, label: "Hidden", bounds: at(250), isVisible: false),
        Element(id: "flat", role: .button, label: "Flat", bounds: at(300, height: 0)),
        Element(id: "twin", role: .button, label: "One", bounds: at(350)),
        Element(id: "twin", role: .button, label: "Two", bounds: at(400)),
        Element(
            id: "off", role: .group, bounds: at(450), isEnabled: false,
            children: [Element(id: "within-off", role: .button, label: "Off", bounds: at(450))]),
        Element(
            id: "away", role: .group, bounds: at(500), isVisible: false,
            children: [Element(id: "within-away", role: .button, label: "Away", bounds: at(500))]),
        Element(
            id: "list", role: .list, bounds: at(550, height: 200),
            children: [Element(id: "row", role: .listItem, label: "Row", bounds: at(560))]),
    ]

    var performed: [ObservationAction] { state.withLock { $0.performed } }
    var isActive: Bool { state.withLock { $0.isActive } }

    func change(_ work: @Sendable (inout State) -> Void) { state.withLock { work(&$0) } }

    func elementTree() async -> ElementTree {
        if state.withLock({ $0.holdsCaptures }) { await hold() }
        return state.withLock { state in
            state.captures += 1
            return state.tree
        }
    }

    func perform(_ action: ObservationAction, on element: Element?) async throws(ObservationRejection) {
        state.withLock { state in
            state.atOnce += 1
            state.mostAtOnce = max(state.mostAtOnce, state.atOnce)
        }
        defer { state.withLock { $0.atOnce -= 1 } }
        if state.withLock({ $0.holdsActions }) { await hold() }
        if Task.isCancelled { throw .actionCancelled }
        if let refusal = state.withLock({ $0.refusal }) { throw refusal }
        state.withLock { $0.performed.append(action) }
    }

    private func hold() async {
        await withCheckedContinuation { continuation in state.withLock { $0.held.append(continuation) } }
    }

    /// How many are held up.
    var held: Int { state.withLock { $0.held.count } }

    /// Lets go of what is held up, and holds nothing any more.
    func letGo() {
        let held = state.withLock { state in
            state.holdsActions = false
            state.holdsCaptures = false
            let held = state.held
            state.held = []
            return held
        }
        for continuation in held { continuation.resume() }
    }
}

/// Asks until it is so.
func until(_ condition: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(20)
    while !condition() {
        guard ContinuousClock.now < deadline else { throw ObservationServerFault.outOfTime }
        try await Task.sleep(for: .milliseconds(2))
    }
}

enum ObservationServerFault: Error { case outOfTime }
