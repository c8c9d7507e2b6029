// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// `/recordings` and `/recordings/{id}`
enum RecordingPageHandlers {
    static func list(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let paging = try Paging(request)
        var query = RecordingHandlers.query(request)
        query.recording = nil
        let page = RecordingListPage(
            query: query,
            recordings: try service.store.recordingSummaries(
                project: try request.requireProject().id, query, after: paging.cursor, limit: paging.limit))
        return WebPage(request, title: "Recordings", section: .recordings, content: page.content).response()
    }

    /// The part that is named, or the first one that is there, from the frame that is named on.
    static func show(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let project = try request.requireProject().id
        let name = request.parameters["id"] ?? ""
        let wanted = try number("part", request)
        let found = try service.store.parts(
            project: project, recording: name, from: wanted ?? 0, isBackwards: false, limit: mostCopies)
        guard let first = found.first, wanted == nil || first.part == wanted,
            let summary = try service.store.recordingSummaries(
                project: project, RecordingQuery(recording: name), after: nil, limit: 1
            ).items.first
        else { throw APIError.notFound("there is no such recording, or no such part of it, in this project") }
        // What came by itself and with its event: the longer one tells more.
        let stored = found.filter { $0.part == first.part }.max { $0.frames < $1.frames } ?? first
        let page = RecordingPage(
            summary: summary, stored: stored, part: try RecordingHandlers.part(service, project: project, stored),
            firstFrame: try number("frame", request) ?? 0,
            before: try service.store.parts(
                project: project, recording: name, from: stored.part, isBackwards: true, limit: 1
            ).first?.part,
            after: try service.store.parts(
                project: project, recording: name, from: stored.part + 1, isBackwards: false, limit: 1
            ).first?.part)
        return WebPage(request, title: "Recording", section: .recordings, content: page.content).response()
    }

    /// Of one part there is a row by itself, and one for each event that it belongs to.
    private static let mostCopies = 20
    private static let largest = 1_000_000_000

    private static func number(_ name: String, _ request: HTTPRequest) throws(APIError) -> Int? {
        guard let text = request.query[name], !text.isEmpty else { return nil }
        guard let number = Int(text), (0...largest).contains(number) else {
            throw RequestFields.wrong(name, "must be a number from 0 to \(largest)")
        }
        return number
    }
}
