// SPDX-License-Identifier: Apache-2.0

/// An element of a snapshot, as it leaves the program: what is secret of it is not there.
public struct ObservedElement: Codable, Hashable, Sendable {
    /// The host's name for it; one that others have, too, cannot be acted on.
    public var id: String
    public var role: ElementRole
    /// What is written on it, or what it is called.
    public var label: String?
    /// What it holds: a field's text, a switch's state.
    public var value: String?
    /// The label or the value is there and is not told: it is a password's, or within what the host masks.
    public var withheld: Bool?
    public var bounds: ElementBounds
    /// It and all that it lies in can be used.
    public var enabled: Bool
    /// It and all that it lies in are shown, and it has a size.
    public var visible: Bool
    public var focused: Bool?
    /// The actions that it takes, where it is not what its role takes.
    public var actions: [ObservationActionKind]?
    public var children: [ObservedElement]?

    /// An element; of a host's tree, the bridge makes them.
    public init(
        id: String, role: ElementRole, label: String? = nil, value: String? = nil, withheld: Bool = false,
        bounds: ElementBounds, enabled: Bool = true, visible: Bool = true, focused: Bool = false,
        actions: [ObservationActionKind]? = nil, children: [ObservedElement] = []
    ) {
        self.id = id
        self.role = role
        self.label = label
        self.value = value
        self.withheld = withheld ? true : nil
        self.bounds = bounds
        self.enabled = enabled
        self.visible = visible
        self.focused = focused ? true : nil
        self.actions = actions
        self.children = children.isEmpty ? nil : children
    }
}
