// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Puts what a bridge tells into a fallback's tree.
enum BridgeMerge {
    /// Under the program's node (the root, where none is marked), so that whatever else is on the screen stays; nil
    /// where bounds do not count from the screen's corner: a tap that falls back would go elsewhere.
    static func merge(_ snapshot: ObservationSnapshot, into root: ScreenNode) -> ScreenNode? {
        guard snapshot.coordinateSpace == .screen else { return nil }
        let nodes = nodes(snapshot)
        let known = nodes.flatMap(\.all)
        var root = root
        if !append(nodes, toApplicationIn: &root, knowing: known) { append(nodes, to: &root, knowing: known) }
        return root
    }

    /// The visible elements, as nodes.
    static func nodes(_ snapshot: ObservationSnapshot) -> [ScreenNode] {
        snapshot.elements.flatMap { nodes($0, snapshot.captureIdentity) }
    }

    private static func nodes(_ element: ObservedElement, _ capture: CaptureIdentity) -> [ScreenNode] {
        let children = (element.children ?? []).flatMap { nodes($0, capture) }
        // What lies in it may be seen though it has no size by itself.
        guard element.visible else { return children }
        var node = ScreenNode(
            bounds: element.bounds, resourceId: element.id, contentDescription: element.label, text: element.value,
            role: element.role, clickable: element.enabled, enabled: element.enabled,
            focused: element.focused ?? false, children: children)
        node.testTag = element.id
        node.valueRedacted = element.withheld
        node.source = .bridge
        node.bridge = ScreenNode.BridgeIdentity(elementId: element.id, capture: capture)
        return [node]
    }

    private static func append(
        _ nodes: [ScreenNode], toApplicationIn node: inout ScreenNode, knowing known: [ScreenNode]
    ) -> Bool {
        if node.isApplication == true {
            append(nodes, to: &node, knowing: known)
            return true
        }
        for index in node.children.indices where append(nodes, toApplicationIn: &node.children[index], knowing: known) {
            return true
        }
        return false
    }

    private static func append(_ nodes: [ScreenNode], to node: inout ScreenNode, knowing known: [ScreenNode]) {
        let byBounds = Dictionary(grouping: known, by: \.wholeBounds)
        node.children = node.children.compactMap { withoutDuplicates($0, byBounds) } + nodes
    }

    private static func withoutDuplicates(_ node: ScreenNode, _ known: [[Int]: [ScreenNode]]) -> ScreenNode? {
        var node = node
        guard !node.children.isEmpty else {
            guard let told = (known[node.wholeBounds] ?? []).first(where: { isSame($0, node) }) else { return node }
            // A web view stays, for its page to go into, and whatever is done to it goes to the bridge.
            guard node.role == .webView else { return nil }
            node.bridge = told.bridge
            return node
        }
        node.children = node.children.compactMap { withoutDuplicates($0, known) }
        return node
    }

    private static func isSame(_ told: ScreenNode, _ leaf: ScreenNode) -> Bool {
        let label = leaf.contentDescription
        return label != nil && label == told.contentDescription
            || leaf.resourceId != nil && leaf.resourceId == told.resourceId
    }
}
