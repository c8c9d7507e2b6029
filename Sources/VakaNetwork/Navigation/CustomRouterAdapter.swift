// SPDX-License-Identifier: Apache-2.0
public import Vaka

/// Is told of the transitions of a router. Thread-safe; holds nothing.
public struct CustomRouterAdapter: Sendable {
    private let navigation: NavigationCapture

    init(_ navigation: NavigationCapture) {
        self.navigation = navigation
    }

    /// A transition has come to its end, or has not: then nothing is kept.
    public func record(
        to destination: String, from source: String? = nil, trigger: String? = nil, isComplete: Bool = true,
        arguments: [String: Vaka.Value] = [:]
    ) {
        guard isComplete else { return }
        var event = NavigationEvent(.custom, destination)
        event.source = source
        event.trigger = trigger
        event.arguments = arguments
        navigation.record(event)
    }
}
