// SPDX-License-Identifier: Apache-2.0
public import Vaka

/// Is told of the links that open a program. Thread-safe; holds nothing.
public struct DeepLinkAdapter: Sendable {
    private let navigation: NavigationCapture

    init(_ navigation: NavigationCapture) {
        self.navigation = navigation
    }

    /// A link was opened: call it from the handler of links. User, password, query and fragment are not kept, of the source
    /// neither.
    public func record(_ url: String, source: String? = nil, arguments: [String: Vaka.Value] = [:]) {
        var event = NavigationEvent(.deepLink, Address(url, keepsAll: false).url)
        event.source = source.map(AddressText.shortened)
        event.trigger = "deep_link"
        event.arguments = arguments
        navigation.record(event)
    }
}
