// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// The same by the page's forms.
extension MoveHandlers {
    /// `POST /issues/{id}/merge`
    static func mergeForm(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try PageForm.requireOwn(request)
        let text = (request.form["into"] ?? "").filter { $0 != " " && $0 != "#" }
        guard let target = Int64(text), target > 0 else {
            throw RequestFields.wrong("into", "must be the number of an issue")
        }
        let issue = try IssueHandlers.find(service, request)
        return try shown(
            try service.store.merge(
                project: try request.requireProject().id, issue: issue.id, into: target, by: PageForm.actor(request),
                now: service.store.now))
    }

    /// `POST /issues/{id}/split`: one event, or those of a variant.
    static func splitForm(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try PageForm.requireOwn(request)
        let issue = try IssueHandlers.find(service, request)
        let project = try request.requireProject().id
        let form = request.form
        let events =
            if let event = form["event"] {
                [event]
            } else {
                try IssueVariants(service, project: project, issue: issue.id).events(of: form["variant"] ?? "")
            }
        guard !events.isEmpty else { throw APIError.notFound("the issue has no such events any more") }
        return try shown(
            try split(.events(events), of: issue.id, service, project, by: PageForm.actor(request)))
    }

    /// `POST /moves/{id}/undo`
    static func undoForm(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try PageForm.requireOwn(request)
        let text = request.parameters["id"] ?? ""
        guard let move = Int64(text) else { throw APIError.notFound("there is no move \(text.prefix(40))") }
        return try shown(
            try service.store.undo(
                project: try request.requireProject().id, move: move, by: PageForm.actor(request),
                now: service.store.now))
    }

    private static func shown(_ result: MoveResult) throws(APIError) -> HTTPResponse {
        .redirect(to: "/issues/\(try issue(of: result))")
    }
}
