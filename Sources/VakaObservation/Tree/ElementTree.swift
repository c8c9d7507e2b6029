// SPDX-License-Identifier: Apache-2.0
public import VakaModel

/// What is on a host's screen at one moment, as the host describes it.
public struct ElementTree: Hashable, Sendable {
    /// The host's name for the screen.
    public var screen: String?
    public var coordinateSpace: CoordinateSpace
    /// What the screen or window takes up.
    public var bounds: ElementBounds
    /// From back to front.
    public var elements: [Element]

    /// A tree. A program that knows where its windows are counts from the screen's corner; one that does not (as under
    /// Wayland) says so, and its elements are then not mixed with others of the screen.
    public init(
        screen: String? = nil, coordinateSpace: CoordinateSpace = .screen, bounds: ElementBounds, elements: [Element]
    ) {
        self.screen = screen
        self.coordinateSpace = coordinateSpace
        self.bounds = bounds
        self.elements = elements
    }
}
