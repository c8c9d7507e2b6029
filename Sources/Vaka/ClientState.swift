// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What changes while the SDK runs.
struct ClientState {
    /// The number of breadcrumbs kept, as in the run file.
    static let breadcrumbLimit = 128

    var tags: [String: String]
    let contexts: [String: JSONValue]
    var userID: String?
    var session: SessionTracker?
    var pending: [PendingItem] = []
    var hasEnded = false
    private(set) var breadcrumbs: [Breadcrumb] = []
    /// The uptime of the next round that is planned.
    private var nextRound: Duration?

    init(tags: [String: String], contexts: [String: JSONValue]) {
        self.tags = tags
        self.contexts = contexts
    }

    mutating func add(_ breadcrumb: Breadcrumb) {
        if breadcrumbs.count >= Self.breadcrumbLimit { breadcrumbs.removeFirst() }
        breadcrumbs.append(breadcrumb)
    }

    /// Whether the round must be planned: false where one comes earlier.
    mutating func planRound(at uptime: Duration) -> Bool {
        if let nextRound, nextRound <= uptime { return false }
        nextRound = uptime
        return true
    }

    mutating func roundDone() {
        nextRound = nil
    }
}
