// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// The network records of a user's installations: those from whose sessions the user's events came, or the one that is named
/// in the user's place.
struct UserNetwork {
    private static let installation = "install "

    let store: any EventStore
    let project: Int64
    let user: String

    /// Nil where the user has a name.
    var named: String? {
        user.hasPrefix(Self.installation) ? String(user.dropFirst(Self.installation.count)) : nil
    }

    /// The sessions that the user's events came from.
    func sessions() throws -> [String] {
        var sessions: Set<String> = []
        var cursor: Cursor?
        repeat {
            let page = try store.events(
                ofUser: user, project: project, after: cursor, limit: UserDataHandlers.step)
            for event in page.items {
                let document = try? Zstandard.decompress(Data(event.document))
                let read = document.flatMap { try? ModelCoding.decode(Event.self, from: $0) }
                if let session = read?.session { sessions.insert(session.id) }
            }
            cursor = page.next
        } while cursor != nil
        return sessions.sorted()
    }

    /// Always in the same order.
    func installations() throws -> [String] {
        let found = try store.installations(ofSessions: try sessions(), project: project)
        return named.map { Set(found + [$0]).sorted() } ?? found
    }

    /// Those of the installations from the cursor of an earlier page on, or from `begin`.
    func page(
        of installations: [String], after cursor: Cursor, limit: Int
    ) throws -> (records: [StoredExchange], next: Cursor?) {
        var records: [StoredExchange] = []
        var (after, index) = (cursor.first, Int(clamping: cursor.second) - 1)
        while installations.indices.contains(index) {
            guard records.count < limit else { return (records, Cursor(after, Int64(index) + 1)) }
            let page = try store.exchanges(
                ofInstallation: installations[index], project: project, after: Cursor(after),
                limit: limit - records.count)
            records += page.items
            if let next = page.next { return (records, Cursor(next.first, Int64(index) + 1)) }
            (after, index) = (.max, index + 1)
        }
        return (records, nil)
    }

    /// What stands second tells the installation, from 1 on: cursors of events have 0 there.
    static let begin = Cursor(.max, 1)

    /// What the one that is named could tell of, and what could not be read of it.
    func told(limit: Int) throws -> (capabilities: [StoredCapabilities], diagnostics: [StoredDiagnostic]) {
        guard let named else { return ([], []) }
        return (
            try store.capabilities(ofInstallation: named, project: project, limit: limit),
            try store.diagnostics(ofInstallation: named, project: project, limit: limit)
        )
    }
}
