// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// What is kept of one user of the programs: handed out, and removed.
enum UserDataHandlers {
    /// Events in one transaction.
    static let step = 100
    /// Recordings that are listed; `DELETE` removes them all.

    private struct Attached: Encodable {
        var eventID: String
        var number: Int
        var name: String

        enum CodingKeys: String, CodingKey {
            case eventID = "event_id"
            case number, name
        }
    }

    private struct Export: Encodable {
        var events: [JSONValue]
        var attachments: [Attached]
        /// Those of the user, on the first page.
        var recordings: [RecordingDocument]
        @ExplicitNull var nextCursor: String?

        enum CodingKeys: String, CodingKey {
            case events, attachments, recordings
            case nextCursor = "next_cursor"
        }
    }

    /// `GET …/user-data?user=`: documents, and which files came with them.
    static func export(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let (user, project) = (try user(request), try request.requireProject())
        let paging = try Paging(request)
        let page = try service.store.events(
            ofUser: user, project: project.id, after: paging.cursor, limit: paging.limit)
        var export = Export(events: [], attachments: [], recordings: [], nextCursor: page.next?.text)
        if paging.cursor == nil {
            export.recordings = try service.store.recordings(
                project: project.id, user: user, limit: service.options.limits.mostRecordings
            ).map(RecordingDocument.init)
        }
        for event in page.items {
            let document = try event.currentDocument(service.store, project: project.id)
            export.events.append(try ModelCoding.decode(JSONValue.self, from: document))
            export.attachments += try service.store.attachments(project: project.id, event: event.summary.eventID).map {
                Attached(eventID: event.summary.eventID, number: $0.number, name: $0.attachment.name)
            }
        }
        try service.audit(
            "GET /user-data", request, actor: request.caller?.name,
            target: "\(page.items.count) events of \(mark(user))")
        return try .json(export)
    }

    /// `DELETE …/user-data?user=`
    static func remove(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let (user, project) = (try user(request), try request.requireProject())
        let removed = try remove(user, project: project, from: service.store)
        var response = try HTTPResponse.json(["removed_events": removed])
        response.subject = "\(removed) events of \(mark(user))"
        return response
    }

    /// In steps, so that others write meanwhile.
    static func remove(_ user: String, project: Project, from store: any EventStore) throws -> Int {
        var removed = 0
        // Before their events, by which the sessions are known: where it ends in between, it is done again.
        let sessions = try sessions(of: user, project, store)
        try store.removeExchanges(ofSessions: sessions, project: project.id)
        try store.removeUnnamedRecordings(ofSessions: sessions, project: project.id)
        while true {
            let gone = try store.removeData(ofUser: user, project: project.id, limit: step)
            removed += gone
            if gone < step { return removed }
        }
    }

    /// Those that the user's events came from.
    private static func sessions(of user: String, _ project: Project, _ store: any EventStore) throws -> [String] {
        var sessions: Set<String> = []
        var cursor: Cursor?
        repeat {
            let page = try store.events(ofUser: user, project: project.id, after: cursor, limit: step)
            for event in page.items {
                let document = try? Zstandard.decompress(Data(event.document))
                let read = document.flatMap { try? ModelCoding.decode(Event.self, from: $0) }
                if let session = read?.session { sessions.insert(session.id) }
            }
            cursor = page.next
        } while cursor != nil
        return sessions.sorted()
    }

    /// Who was removed is not told again by the log: so much proves that it was this one.
    static func mark(_ user: String) -> String {
        "user " + Secrets.derived(user, for: "audit").prefix(12)
    }

    private static func user(_ request: HTTPRequest) throws(APIError) -> String {
        guard let user = request.query["user"], (1...300).contains(user.unicodeScalars.count) else {
            throw APIError(400, "invalid_user", "\"user\" must be the user's id as events have it, 1 to 300 characters")
        }
        return user
    }
}
