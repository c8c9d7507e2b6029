// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Puts what a page tells into the node of its web view.
enum WebMerge {
    private static let typedInputs: Set<String?> = ["text", "search", "email", "url", "tel", "password", "number", nil]

    /// The nodes that are web views and lie in no other.
    ///
    /// - Parameter ofFallback: only those that the fallback shows, where there is one: a host may tell of its own web
    ///   view, too, and the two are the same.
    static func outermost(in node: ScreenNode, ofFallback: Bool) -> [ScreenNode] {
        if ofFallback, node.source == .bridge { return [] }
        return node.role == .webView ? [node] : node.children.flatMap { outermost(in: $0, ofFallback: ofFallback) }
    }

    /// Nil where it is not certain whose snapshot it is: only one registered web view and one on the screen are a pair.
    static func merge(_ reply: WebSnapshotReply, into root: ScreenNode, ofFallback: Bool) -> ScreenNode? {
        guard reply.webViews.count == 1, outermost(in: root, ofFallback: ofFallback).count == 1 else { return nil }
        var root = root
        change(&root, ofFallback: ofFallback) { view in
            var nodes = nodes(reply, in: view)
            var replacing = Replacing(nodes, leaves: view.children.flatMap(leaves))
            view.children = view.children.map { replacing.replace($0) }
            nodes.removeAll { node in node.web.map { replacing.used.contains($0.elementId) } ?? false }
            view.children += nodes
        }
        return root
    }

    private static func leaves(_ node: ScreenNode) -> [ScreenNode] {
        node.children.isEmpty ? [node] : node.children.flatMap(leaves)
    }

    private static func change(_ node: inout ScreenNode, ofFallback: Bool, _ work: (inout ScreenNode) -> Void) {
        if ofFallback, node.source == .bridge { return }
        if node.role == .webView { return work(&node) }
        for index in node.children.indices { change(&node.children[index], ofFallback: ofFallback, work) }
    }

    /// Visible elements with a place within the view.
    private static func nodes(_ reply: WebSnapshotReply, in view: ScreenNode) -> [ScreenNode] {
        let counts = Dictionary(grouping: reply.snapshot.elements, by: \.id).mapValues(\.count)
        return reply.snapshot.elements.compactMap { element in
            // An action that names an id of several could reach either.
            guard element.visible, counts[element.id] == 1,
                let bounds = place(element.bounds, reply.snapshot.viewport, in: view.bounds)
            else { return nil }
            return node(element, bounds, reply)
        }
    }

    /// From CSS pixels to points of the screen: the part of the page that is seen spans the view's width.
    static func place(
        _ bounds: ElementBounds, _ viewport: WebViewport?, in view: ElementBounds
    ) -> ElementBounds? {
        let seen = viewport.flatMap { $0.isSound ? $0 : nil }
        let scale = seen.map { view.width / $0.width } ?? 1
        let placed = ElementBounds(
            x: view.x + (bounds.x - (seen?.x ?? 0)) * scale, y: view.y + (bounds.y - (seen?.y ?? 0)) * scale,
            width: bounds.width * scale, height: bounds.height * scale)
        guard let clipped = placed.intersection(view) else { return nil }
        return ElementBounds(
            x: clipped.x.rounded(.towardZero), y: clipped.y.rounded(.towardZero),
            width: clipped.width.rounded(.towardZero), height: clipped.height.rounded(.towardZero))
    }

    private static func node(_ element: WebElement, _ bounds: ElementBounds, _ reply: WebSnapshotReply) -> ScreenNode {
        let isTyped =
            ["textarea", "textfield", "searchbox", "textbox"].contains(element.role)
            || element.role == "input" && typedInputs.contains(element.inputType?.lowercased())
        var node = ScreenNode(
            bounds: bounds, contentDescription: element.label, text: element.redacted == true ? nil : element.value,
            role: isTyped ? .textField : ElementRole(rawValue: element.role), clickable: element.enabled,
            enabled: element.enabled)
        node.valueRedacted = element.redacted
        node.source = .webBridge
        node.web = ScreenNode.WebIdentity(
            webViewId: reply.webViewId, snapshotId: reply.snapshot.snapshotId, elementId: element.id,
            documentId: reply.snapshot.documentId, role: element.role, origin: reply.snapshot.origin)
        return node
    }
}
