// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// Screen recordings, by the event whose last moments they are, and by session.
enum RecordingHandlers {
    static func ofEvent(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let recordings = try service.store.recordings(
            project: try request.requireProject().id, event: request.parameters["id"] ?? "")
        return try .json(ListDocument(name: "recordings", items: recordings.map(RecordingDocument.init), next: nil))
    }

    /// Of a query.
    static let parameters = ["session", "user", "release"]

    static func query(_ request: HTTPRequest) -> RecordingQuery {
        // A form sends what was left empty.
        func given(_ name: String) -> String? { request.query[name].flatMap { $0.isEmpty ? nil : $0 } }
        return RecordingQuery(
            recording: given("recording"), session: given("session"), user: given("user"), release: given("release"))
    }

    static func list(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let paging = try Paging(request)
        let page = try service.store.recordings(
            project: try request.requireProject().id, query(request), after: paging.cursor, limit: paging.limit)
        return try .json(
            ListDocument(name: "recordings", items: page.items.map(RecordingDocument.init), next: page.next))
    }

    /// One part as it was sent, without the secrets that the project's rules took out.
    static func one(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        guard let id = Int64(request.parameters["number"] ?? ""),
            let stored = try service.store.recording(project: try request.requireProject().id, id: id),
            let document = try? Zstandard.decompress(stored)
        else { throw APIError.notFound("the project has no such recording") }
        return HTTPResponse(status: 200, contentType: "application/json", body: document)
    }

    /// The parts of an event that can be shown.
    static func shown(_ service: Service, project: Int64, event: String) throws -> [Recording] {
        try service.store.recordings(project: project, event: event).suffix(RecordingView.mostParts)
            .compactMap { try part(service, project: project, $0) }
    }

    /// Nil where it cannot be shown, or is gone by now.
    static func part(_ service: Service, project: Int64, _ stored: StoredRecording) throws -> Recording? {
        guard let data = try service.store.recording(project: project, id: stored.id),
            let document = try? Zstandard.decompress(data)
        else { return nil }
        return try? ModelCoding.decode(Recording.self, from: document)
    }
}

/// A part of a recording in a list.
struct RecordingDocument: Encodable {
    var id: Int64
    var recordingID: String
    var part: Int
    @ExplicitNull var eventID: String?
    @ExplicitNull var sessionID: String?
    @ExplicitNull var release: String?
    var started: Timestamp
    var duration: Int
    var frames: Int

    init(_ stored: StoredRecording) {
        id = stored.id
        recordingID = stored.recordingID
        part = stored.part
        eventID = stored.eventID
        sessionID = stored.sessionID
        release = stored.release
        started = stored.started
        duration = stored.duration
        frames = stored.frames
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case recordingID = "recording_id"
        case part
        case eventID = "event_id"
        case sessionID = "session_id"
        case release, started
        case duration = "duration_ms"
        case frames
    }
}
