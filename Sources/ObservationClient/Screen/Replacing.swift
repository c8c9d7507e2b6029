// SPDX-License-Identifier: Apache-2.0

/// Which elements of a page are leaves that the fallback told of already.
struct Replacing {
    /// Ids of the page's elements that stand for a leaf.
    private(set) var used: Set<String> = []
    /// By the leaf that each stands for.
    private let pairs: [ScreenNode: ScreenNode]

    init(_ elements: [ScreenNode], leaves: [ScreenNode]) {
        let byBounds = Dictionary(grouping: elements, by: \.wholeBounds)
        var found: [String: [ScreenNode]] = [:]
        var matches: [ScreenNode: ScreenNode] = [:]
        for leaf in leaves {
            let same = (byBounds[leaf.wholeBounds] ?? []).filter { Self.isSame($0, leaf) }
            // A wrapper and the control that it wraps, or two that each share something with it: which one, nobody knows.
            guard same.count == 1, let id = same[0].web?.elementId else { continue }
            found[id, default: []].append(leaf)
            matches[leaf] = same[0]
        }
        pairs = matches.filter { found[$0.value.web?.elementId ?? ""]?.count == 1 }
    }

    /// In the leaf's place, so that whoever looks within a container still finds it there.
    mutating func replace(_ node: ScreenNode) -> ScreenNode {
        guard node.children.isEmpty else {
            var node = node
            node.children = node.children.map { replace($0) }
            return node
        }
        guard let element = pairs[node], let identity = element.web else { return node }
        used.insert(identity.elementId)
        // The leaf is newer than the page's snapshot: what it reports wins, and its focus alone counts.
        var merged = node
        merged.contentDescription = node.contentDescription ?? element.contentDescription
        merged.text = node.text ?? element.text
        merged.valueRedacted = node.text == nil ? element.valueRedacted : nil
        merged.source = .webBridge
        merged.web = identity
        return merged
    }

    private static func isSame(_ element: ScreenNode, _ leaf: ScreenNode) -> Bool {
        matches(leaf.contentDescription, element.contentDescription) || matches(leaf.text, element.text)
            || matches(leaf.resourceId, element.web?.elementId)
    }

    private static func matches(_ left: String?, _ right: String?) -> Bool { left != nil && left == right }
}
