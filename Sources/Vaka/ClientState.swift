// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What changes while the SDK runs.
struct ClientState {
    var tags: [String: String]
    let contexts: [String: JSONValue]
    /// As documents have it.
    var user: [String: JSONValue]?
    var session: SessionTracker?
    /// Names of the files that a crash takes along.
    var files: Set<String> = []
    var breadcrumbs = BreadcrumbTail()
    var settings: ServerSettings
    var capabilities = CapabilityTelling()
    /// The uptime before which the settings are not asked for again.
    var nextRefresh: Duration?
    /// The uptime of the next round that is planned.
    private var nextRound: Duration?

    init(tags: [String: String], contexts: [String: JSONValue], settings: ServerSettings) {
        self.settings = settings
        self.tags = tags
        self.contexts = contexts
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
