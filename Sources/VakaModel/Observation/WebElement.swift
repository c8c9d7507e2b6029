// SPDX-License-Identifier: Apache-2.0

/// An element of a page, as its snapshot has it.
public struct WebElement: Codable, Hashable, Sendable {
    /// Its name as long as the document lives.
    public var id: String
    /// Its `role`, or what kind of element it is.
    public var role: String
    /// The `type` of an `input`.
    public var inputType: String?
    public var label: String?
    /// What it holds; nil where that is redacted.
    public var value: String?
    /// It holds something, which is not told.
    public var redacted: Bool?
    /// In CSS pixels, from the corner of the layout that is shown.
    public var bounds: ElementBounds
    public var enabled: Bool
    /// It has a box that is not empty, and is rendered. It may be off the screen.
    public var visible: Bool
    public var focused: Bool?

    /// An element of a page.
    public init(
        id: String, role: String, inputType: String? = nil, label: String? = nil, value: String? = nil,
        redacted: Bool = false, bounds: ElementBounds, enabled: Bool = true, visible: Bool = true, focused: Bool = false
    ) {
        self.id = id
        self.role = role
        self.inputType = inputType
        self.label = label
        self.value = value
        self.redacted = redacted ? true : nil
        self.bounds = bounds
        self.enabled = enabled
        self.visible = visible
        self.focused = focused ? true : nil
    }
}
