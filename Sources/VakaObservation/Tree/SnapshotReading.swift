// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Reads a host's tree, as far as the limits go, and leaves out what is secret.
struct SnapshotReading {
    /// What elements have from those that they lie in.
    struct Surroundings {
        var enabled = true
        var visible = true
        /// Within a password's field or a mask: neither labels nor values are told.
        var secret = false
        var depth = 0
    }

    private(set) var entries: [String: Capture.Entry?] = [:]
    private(set) var truncated = false
    private var count = 0

    /// Nil where the limits are reached.
    mutating func read(_ element: Element, in surroundings: Surroundings) -> ObservedElement? {
        guard count < SnapshotLimits.elements, surroundings.depth < SnapshotLimits.depth,
            element.id.utf8.count <= ObservationAction.longestElementId
        else {
            truncated = true
            return nil
        }
        count += 1
        var inner = surroundings
        inner.depth += 1
        inner.enabled = surroundings.enabled && element.isEnabled
        inner.visible = surroundings.visible && element.isVisible
        let masked = surroundings.secret || element.ownPrivacy == .masked
        inner.secret = masked || element.holdsSecret
        let visible = inner.visible && !element.bounds.isEmpty
        note(Capture.Entry(element: element, enabled: inner.enabled, visible: visible))

        // A password's field keeps its own label: it is what the field is called.
        let label = masked ? nil : element.label
        let value = inner.secret ? nil : element.value
        return ObservedElement(
            id: element.id, role: element.role, label: label.map { text($0) }, value: value.map { text($0) },
            withheld: label != element.label || value != element.value, bounds: element.bounds,
            enabled: inner.enabled, visible: visible, focused: element.isFocused, actions: element.actions?.sorted(),
            children: element.children.compactMap { read($0, in: inner) })
    }

    private mutating func note(_ entry: Capture.Entry) {
        // A name that several bear names none.
        entries[entry.element.id] = entries[entry.element.id] == nil ? .some(entry) : .some(nil)
    }

    /// What of a text is kept.
    mutating func text(_ text: String) -> String {
        guard text.utf8.count > SnapshotLimits.text else { return text }
        truncated = true
        var kept = ""
        var count = 0
        for character in text {
            count += character.utf8.count
            guard count <= SnapshotLimits.text else { break }
            kept.append(character)
        }
        return kept
    }
}
