// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The document that a web view shows, and its latest snapshots.
struct WebDocument: Sendable {
    /// How many are kept: an action that names an earlier one is stale.
    static let snapshotsKept = 4

    let id: String
    private(set) var snapshots: [WebSnapshot] = []

    init(id: String) { self.id = id }

    var latest: WebSnapshot? { snapshots.last }

    mutating func add(_ snapshot: WebSnapshot) {
        snapshots.append(snapshot)
        if snapshots.count > Self.snapshotsKept { snapshots.removeFirst() }
    }

    /// Why an action cannot be done with it; nil where it can.
    func rejection(_ action: WebAction) -> WebRejection? {
        guard let snapshot = snapshots.first(where: { $0.snapshotId == action.snapshotId }) else {
            return .staleSnapshot
        }
        let named = snapshot.elements.filter { $0.id == action.elementId }
        guard named.count == 1, named[0].enabled, named[0].visible else { return .elementNotActionable }
        return nil
    }
}
