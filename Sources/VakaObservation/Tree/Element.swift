// SPDX-License-Identifier: Apache-2.0
public import VakaModel

/// An element of a host's screen, as the host describes it. It stays in the process: what leaves is made of it without
/// what is secret.
public struct Element: Hashable, Sendable {
    /// Names it, as long as it is there; the host finds it by this name again.
    ///
    /// A name that holds `screen-recording-mask` masks it as ``ElementPrivacy/masked`` does, one that holds
    /// `screen-recording-unmask` unmasks it.
    public var id: String
    public var role: ElementRole
    /// What is written on it, or what it is called.
    public var label: String?
    /// What it holds: a field's text, a switch's state.
    public var value: String?
    public var bounds: ElementBounds
    public var isVisible: Bool
    public var isEnabled: Bool
    public var isFocused: Bool
    /// A password or the like: its value, and all of what lies in it, is never told. True by itself for
    /// ``VakaModel/ElementRole/secureTextField``.
    public var isSecure: Bool
    public var privacy: ElementPrivacy
    /// The actions that it takes; nil for what its role takes.
    public var actions: Set<ObservationActionKind>?
    /// From back to front.
    public var children: [Element]

    /// An element.
    public init(
        id: String, role: ElementRole, label: String? = nil, value: String? = nil, bounds: ElementBounds,
        isVisible: Bool = true, isEnabled: Bool = true, isFocused: Bool = false, isSecure: Bool = false,
        privacy: ElementPrivacy = .inherited, actions: Set<ObservationActionKind>? = nil, children: [Element] = []
    ) {
        self.id = id
        self.role = role
        self.label = label
        self.value = value
        self.bounds = bounds
        self.isVisible = isVisible
        self.isEnabled = isEnabled
        self.isFocused = isFocused
        self.isSecure = isSecure
        self.privacy = privacy
        self.actions = actions
        self.children = children
    }

    /// Whether its content is secret by what it is.
    package var holdsSecret: Bool { isSecure || role == .secureTextField }

    /// What it asks for by itself, by its name or its privacy; a mask goes first.
    package var ownPrivacy: ElementPrivacy {
        if privacy == .masked || ElementMark.mask.isIn(id) { return .masked }
        return privacy == .unmasked || ElementMark.unmask.isIn(id) ? .unmasked : .inherited
    }
}
