// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// Working on stored events again.
enum ReprocessHandlers {
    static let mostDays = 36_500

    struct Answer: Codable {
        var selected: Int
        var queued: Int
    }

    /// `POST …/reprocess?event=ID`, `?issue=N` or `?days=N`
    static func reprocess(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let project = try request.requireProject().id
        let answer = try service.store.reprocess(
            selection(
                event: request.query["event"], issue: request.query["issue"], days: request.query["days"],
                now: service.store.now), project: project)
        if answer.queued > 0 { service.wakePipeline() }
        return try .json(Answer(selected: answer.selected, queued: answer.queued), status: 202)
    }

    /// Of what people say; one of the three is needed.
    static func selection(
        event: String?, issue: String?, days: String?, now: Timestamp
    ) throws(APIError) -> EventSelection {
        switch (event, issue, days) {
        case (let event?, nil, nil):
            return .event(event)
        case (nil, let text?, nil):
            guard let issue = Int64(text), issue > 0 else {
                throw RequestFields.wrong("issue", "must be an issue's number")
            }
            return .issue(issue)
        case (nil, nil, let text?):
            guard let days = Int64(text), (0...Int64(mostDays)).contains(days) else {
                throw RequestFields.wrong("days", "must be a number of days up to \(mostDays)")
            }
            return .received(since: Timestamp(milliseconds: now.milliseconds - days * CountUnit.day.milliseconds))
        default:
            throw APIError(
                400, "invalid_selection",
                "say which events: by \"event\" (an id), \"issue\" (a number) or \"days\" (those of so many days)")
        }
    }
}
