// SPDX-License-Identifier: Apache-2.0

/// Which node is meant: the one that has all of what is given.
public struct ScreenSelector: Hashable, Sendable {
    /// The resource id or the test tag.
    public var elementId: String?
    /// What it is called or holds, exactly, but for case and the style of quotes.
    public var text: String?
    /// Only within the node of this id.
    public var container: String?

    /// A node by id, by text, or by both.
    public init(elementId: String? = nil, text: String? = nil, container: String? = nil) {
        self.elementId = elementId
        self.text = text
        self.container = container
    }

    /// The first such node; one that holds no other such node goes before those that hold it.
    public func find(in root: ScreenNode) -> ScreenNode? {
        guard elementId != nil || text != nil else { return nil }
        let scopes = container.map { id in root.all.filter { $0.resourceId == id || $0.testTag == id } } ?? [root]
        for scope in scopes {
            let found = scope.all.filter(matches)
            let innermost = found.first { node in !node.children.contains { $0.all.contains(where: matches) } }
            if let innermost { return innermost }
        }
        return nil
    }

    private func matches(_ node: ScreenNode) -> Bool {
        if let elementId, node.resourceId != elementId, node.testTag != elementId { return false }
        if let text {
            let wanted = Self.plain(text)
            return [node.contentDescription, node.text].contains { $0.map(Self.plain) == wanted }
        }
        return true
    }

    /// Case and the style of quotes aside.
    static func plain(_ text: String) -> String {
        String(
            text.lowercased().map { character in
                switch character {
                case "\u{2018}", "\u{2019}", "\u{201B}": "'"
                case "\u{201C}", "\u{201D}", "\u{201F}": "\""
                default: character
                }
            })
    }
}
