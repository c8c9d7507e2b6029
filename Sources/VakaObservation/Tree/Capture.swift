// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// A host's tree as it was captured: what may leave of it, and where its elements are.
struct Capture: Sendable {
    /// An element that was captured, and what became of it where it lies.
    struct Entry: Sendable {
        var element: Element
        var enabled: Bool
        var visible: Bool
    }

    let snapshot: ObservationSnapshot
    /// By id; nil of those that several bear.
    private let entries: [String: Entry?]

    init(_ tree: ElementTree, identity: CaptureIdentity, timestamp: Timestamp) {
        var reading = SnapshotReading()
        let elements = tree.elements.compactMap { reading.read($0, in: SnapshotReading.Surroundings()) }
        snapshot = ObservationSnapshot(
            captureIdentity: identity, timestamp: timestamp, screen: tree.screen.map { reading.text($0) },
            coordinateSpace: tree.coordinateSpace, bounds: tree.bounds, elements: elements,
            truncated: reading.truncated)
        entries = reading.entries
    }

    /// Nil for a name that none or several bear.
    subscript(id: String) -> Entry? { entries[id] ?? nil }
}
