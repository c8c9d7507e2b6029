// SPDX-License-Identifier: Apache-2.0
import Synchronization
import VakaModel
import VakaObservation

/// A host that answers with a tree when the test gives it one.
final class GatedHost: ObservationHost {
    private struct State {
        var asked: [CheckedContinuation<ElementTree, Never>] = []
        var count = 0
        var isActive = true
        var whenAsked: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Called when the host is asked whether it is active.
    init(whenAsked: (@Sendable () -> Void)? = nil) {
        state.withLock { $0.whenAsked = whenAsked }
    }

    var isActive: Bool {
        state.withLock { $0.whenAsked }?()
        return state.withLock { $0.isActive }
    }

    /// How often it was asked for its elements.
    var count: Int { state.withLock { $0.count } }

    func perform(_ action: ObservationAction, on element: Element?) async throws(ObservationRejection) {
        throw ObservationRejection.elementNotActionable
    }

    func elementTree() async -> ElementTree {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.asked.append(continuation)
                state.count += 1
            }
        }
    }

    /// Answers whoever asked first; false where no one does.
    func answer(_ text: String, screen: String? = nil) -> Bool {
        let bounds = ElementBounds(x: 0, y: 0, width: 100, height: 100)
        let tree = ElementTree(
            screen: screen, bounds: bounds, elements: [Element(id: "t", role: .text, label: text, bounds: bounds)])
        let first = state.withLock { $0.asked.isEmpty ? nil : $0.asked.removeFirst() }
        first?.resume(returning: tree)
        return first != nil
    }
}
