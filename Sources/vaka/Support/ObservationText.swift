// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Screens and pages, written out for people: a line an element.
enum ObservationText {
    static func text(_ snapshot: ObservationSnapshot) -> String {
        let head =
            "observation \(snapshot.captureIdentity)" + (snapshot.screen.map { "  \($0)" } ?? "")
            + "  (\(snapshot.coordinateSpace) \(text(snapshot.bounds)))\n"
        let lines = snapshot.elements.map { text($0, 1) }.joined()
        return head + lines + (snapshot.truncated == true ? "  … (there is more than a snapshot holds)\n" : "")
    }

    static func text(_ reply: WebSnapshotReply) -> String {
        let snapshot = reply.snapshot
        let lines = snapshot.elements.map { element in
            let words = [
                element.label.map(quoted), element.value.map { "= " + quoted($0) },
                element.redacted == true ? "= (redacted)" : nil, element.inputType.map { "type \($0)" },
                element.enabled ? nil : "disabled", element.visible ? nil : "hidden",
                element.focused == true ? "focused" : nil,
            ].compactMap { $0 }
            return "  \(element.role) \(element.id)  " + ([text(element.bounds)] + words).joined(separator: "  ") + "\n"
        }.joined()
        return "web view \(reply.webViewId), snapshot \(snapshot.snapshotId)  \(snapshot.url)\n" + lines
    }

    private static func text(_ element: ObservedElement, _ depth: Int) -> String {
        let words = [
            element.label.map(quoted), element.value.map { "= " + quoted($0) },
            element.withheld == true ? "(withheld)" : nil, element.enabled ? nil : "disabled",
            element.visible ? nil : "hidden", element.focused == true ? "focused" : nil,
        ].compactMap { $0 }
        let indent = String(repeating: "  ", count: depth)
        return indent + "\(element.role) \(element.id)  " + ([text(element.bounds)] + words).joined(separator: "  ")
            + "\n"
            + (element.children ?? []).map { text($0, depth + 1) }.joined()
    }

    private static func text(_ bounds: ElementBounds) -> String {
        "\(whole(bounds.x)),\(whole(bounds.y)) \(whole(bounds.width))×\(whole(bounds.height))"
    }

    private static func whole(_ value: Double) -> Int { Int(value.rounded()) }

    private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}
