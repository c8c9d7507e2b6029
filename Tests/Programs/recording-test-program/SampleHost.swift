// SPDX-License-Identifier: Apache-2.0
import Synchronization
import VakaModel
import VakaObservation

/// A screen with something secret of every kind: each secret holds `planted`, and nothing else does.
final class SampleHost: ObservationHost {
    struct State {
        var captures = 0
        var isBusy = false
        var isActive = true
    }

    private let state = Mutex(State())

    var captures: Int { state.withLock { $0.captures } }
    var isActive: Bool { state.withLock { $0.isActive } }
    func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func perform(_ action: ObservationAction, on element: Element?) async throws(ObservationRejection) {
        throw ObservationRejection.elementNotActionable
    }

    func elementTree() async -> ElementTree {
        let (number, isBusy) = state.withLock { state in
            state.captures += 1
            return (state.captures, state.isBusy)
        }
        return ElementTree(
            bounds: Self.box(0, 0, 800, 600),
            elements: [
                Element(id: "w", role: .window, bounds: Self.box(0, 0, 800, 600), children: Self.children),
                Element(
                    id: "clock", role: .text, label: isBusy ? "tick \(number)" : "tick",
                    bounds: Self.box(700, 0, 90, 20)),
            ])
    }

    private static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> ElementBounds {
        ElementBounds(x: x, y: y, width: width, height: height)
    }

    private static let children = [
        Element(id: "ok", role: .button, label: "Order now", bounds: box(10, 10, 100, 30)),
        Element(
            id: "planted-id", role: ElementRole(rawValue: "planted-role"), bounds: box(10, 50, 100, 30)),
        Element(
            id: "pw", role: .secureTextField, label: "planted-label", value: "planted-password",
            bounds: box(10, 100, 200, 30), privacy: .unmasked),
        Element(
            id: "card", role: .group, label: "planted-group", bounds: box(10, 150, 300, 100), privacy: .masked,
            children: [
                Element(
                    id: "n", role: .text, label: "planted-within-mask", bounds: box(20, 160, 100, 20),
                    privacy: .unmasked)
            ]),
        Element(
            id: "x screen-recording-mask y", role: .text, label: "planted-by-id", bounds: box(10, 260, 100, 20)),
        Element(
            id: "kb", role: .keyboard, bounds: box(0, 400, 800, 200),
            children: [Element(id: "k", role: .button, label: "planted-key", bounds: box(0, 400, 40, 40))]),
        Element(id: "web", role: .webView, label: "planted-page", bounds: box(400, 100, 300, 100)),
        Element(id: "film", role: .video, label: "planted-film", bounds: box(400, 210, 300, 100)),
        Element(
            id: "name", role: .textField, label: "Name", value: "planted-typed", bounds: box(10, 300, 200, 30),
            children: [Element(id: "t", role: .text, label: "planted-typed-text", bounds: box(12, 302, 190, 26))]),
        Element(
            id: "free screen-recording-unmask", role: .textField, label: "Town", value: "Springfield",
            bounds: box(10, 340, 200, 30)),
        Element(id: "hidden", role: .text, label: "planted-hidden", bounds: box(0, 0, 10, 10), isVisible: false),
    ]
}
