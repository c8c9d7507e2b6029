// SPDX-License-Identifier: Apache-2.0
public import Vaka

/// Where a person went, before it is kept.
public struct NavigationEvent: Hashable, Sendable {
    /// The way of moving that it is of.
    public let family: NavigationFamily
    /// An address without user, password, query and fragment, or the name of a place.
    public var destination: String
    /// Where they came from, where that is known.
    public var source: String?
    /// What caused it: `push`, `back`, whatever the router says.
    public var trigger: String?
    /// What else the program says of it.
    public var arguments: [String: Vaka.Value]

    init(_ family: NavigationFamily, _ destination: String) {
        self.family = family
        self.destination = destination
        arguments = [:]
    }
}
