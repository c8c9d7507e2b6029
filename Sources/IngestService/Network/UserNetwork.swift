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
        guard user.hasPrefix(Self.installation), user != Self.installation else { return nil }
        return String(user.dropFirst(Self.installation.count))
    }

    /// All that matters here of an event.
    private struct Origin: Decodable {
        struct Session: Decodable {
            var id: String
        }

        var session: Session?
    }

    /// The sessions that the user's events came from, which the events alone tell: all of them are read.
    func sessions() throws -> [String] {
        var sessions: Set<String> = []
        var cursor: Cursor?
        repeat {
            let page = try store.events(
                ofUser: user, project: project, after: cursor, limit: UserDataHandlers.step)
            for event in page.items {
                let document = try? Zstandard.decompress(Data(event.document))
                let read = document.flatMap { try? ModelCoding.decode(Origin.self, from: $0) }
                if let session = read?.session { sessions.insert(session.id) }
            }
            cursor = page.next
        } while cursor != nil
        return sessions.sorted()
    }

    /// Those that the sessions were on, and the one that is named.
    func installations(of sessions: [String]) throws -> [String] {
        try store.installations(ofSessions: sessions, project: project) + (named.map { [$0] } ?? [])
    }

    /// Those of the installations from the cursor of an earlier page on, or from `begin`. Which installations there are may
    /// change between pages: a record stands at the same place whatever others there are.
    func page(
        of installations: [String], after cursor: Cursor, limit: Int
    ) throws -> (records: [StoredExchange], next: Cursor?) {
        let page = try store.exchanges(
            ofInstallations: installations, project: project, after: Cursor(cursor.first), limit: limit)
        return (page.items, page.next.map { Cursor($0.first, Self.begin.second) })
    }

    /// What stands second tells that it is of records: cursors of events have 0 there.
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
