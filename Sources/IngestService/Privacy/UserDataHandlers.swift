// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// What is kept of one user of the programs: handed out, and removed.
enum UserDataHandlers {
    /// Events in one transaction.
    static let step = 100
    /// Of what an installation could tell of, and of its diagnostics; `DELETE` removes them all.
    private static let mostTold = 1000

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
        /// Whole ones, behind the last event.
        var network: [JSONValue]
        /// Those of an installation, on the first page.
        var capabilities: [NetworkHandlers.CapabilitiesDocument]
        var diagnostics: [NetworkHandlers.DiagnosticDocument]
        @ExplicitNull var nextCursor: String?

        enum CodingKeys: String, CodingKey {
            case events, attachments, recordings, network, capabilities, diagnostics
            case nextCursor = "next_cursor"
        }
    }

    /// `GET …/user-data?user=`: documents, which files came with them, and network records.
    static func export(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let (user, project) = (try user(request), try request.requireProject())
        let paging = try Paging(request)
        let network = UserNetwork(store: service.store, project: project.id, user: user)
        var export = Export(
            events: [], attachments: [], recordings: [], network: [], capabilities: [], diagnostics: [],
            nextCursor: nil)
        // Read once for a page, and for no page of events but the first.
        var sessions: [String]?
        if paging.cursor == nil {
            let own = try network.sessions()
            sessions = own
            export.recordings = try recordings(of: user, project, own, service).map(RecordingDocument.init)
            let told = try network.told(limit: mostTold)
            export.capabilities = told.capabilities.map(NetworkHandlers.CapabilitiesDocument.init)
            export.diagnostics = told.diagnostics.map(NetworkHandlers.DiagnosticDocument.init)
        }
        var next = paging.cursor
        if (next?.second ?? 0) == 0 {
            next = try addEvents(to: &export, user, project, service.store, paging) ?? UserNetwork.begin
        }
        if let cursor = next, cursor.second > 0 {
            let installations = try network.installations(of: sessions ?? network.sessions())
            let page = try network.page(of: installations, after: cursor, limit: paging.limit)
            export.network = page.records.map(NetworkDocument.detail)
            next = page.next
        }
        export.nextCursor = next?.text
        try service.audit(
            "GET /user-data", request, actor: request.caller?.name,
            target: "\(export.events.count) events and \(export.network.count) network records of \(mark(user))")
        return try .json(export)
    }

    /// Also those of the user's sessions that tell of no user, as far as there is room.
    private static func recordings(
        of user: String, _ project: Project, _ sessions: [String], _ service: Service
    ) throws -> [StoredRecording] {
        let most = service.options.limits.mostRecordings
        let own = try service.store.recordings(project: project.id, user: user, limit: most)
        let known = Set(own.map(\.id))
        let unnamed = try service.store.unnamedRecordings(
            ofSessions: sessions, project: project.id, limit: most - own.count)
        return own + unnamed.filter { !known.contains($0.id) }
    }

    /// Where they go on; nil at their end.
    private static func addEvents(
        to export: inout Export, _ user: String, _ project: Project, _ store: any EventStore, _ paging: Paging
    ) throws -> Cursor? {
        let page = try store.events(ofUser: user, project: project.id, after: paging.cursor, limit: paging.limit)
        for event in page.items {
            let document = try event.currentDocument(store, project: project.id)
            export.events.append(try ModelCoding.decode(JSONValue.self, from: document))
            export.attachments += try store.attachments(project: project.id, event: event.summary.eventID).map {
                Attached(eventID: event.summary.eventID, number: $0.number, name: $0.attachment.name)
            }
        }
        return page.next
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
        let sessions = try UserNetwork(store: store, project: project.id, user: user).sessions()
        try store.removeExchanges(ofSessions: sessions, project: project.id)
        try store.removeUnnamedRecordings(ofSessions: sessions, project: project.id)
        while true {
            let gone = try store.removeData(ofUser: user, project: project.id, limit: step)
            removed += gone
            if gone < step { return removed }
        }
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
