// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// What people decide about issues: status, assignee, comments, and the history of it.
enum TriageHandlers {
    static let longestComment = 10_000
    static let mostMuteEvents: Int64 = 1_000_000
    static let longestMuteWindow: Int64 = 366 * 86_400
    /// What the history calls a caller that does not name itself.
    static let unnamed = "api"

    /// `PATCH …/issues/{id}`
    static func change(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let terms = ["release", "after_release", "until", "events", "window_s"]
        let fields = try RequestFields(request, allowed: Set(terms + ["status", "assignee", "by"]))
        var changes: [IssueChange] = []
        if fields.has("status") {
            changes.append(try status(fields, terms))
        } else if let term = fields.names(of: terms).first {
            throw RequestFields.wrong(term, "belongs to a \"status\"")
        }
        if fields.has("assignee") { changes.append(.assign(try fields.text("assignee"))) }
        guard !changes.isEmpty else {
            throw APIError(400, "nothing_to_change", "send \"status\" or \"assignee\", or both")
        }
        return try .json(IssueDocument(try apply(changes, service, request, by: fields.text("by"))))
    }

    private static func status(_ fields: RequestFields, _ terms: [String]) throws(APIError) -> IssueChange {
        let text = try fields.text("status")
        let given = fields.names(of: terms)
        switch text.flatMap(IssueStatus.init) {
        case .open?:
            try only([[]], given)
            return .open
        case .resolved?:
            try only([[], ["release"], ["after_release"]], given)
            if let release = try fields.text("release") { return .resolve(.inRelease(release)) }
            if let release = try fields.text("after_release") { return .resolve(.afterRelease(release)) }
            return .resolve(.now)
        case .muted?:
            try only([[], ["until"], ["events", "window_s"]], given)
            if let end = try fields.time("until") { return .mute(.until(end)) }
            guard let events = try fields.integer("events", in: 1...mostMuteEvents),
                let seconds = try fields.integer("window_s", in: 1...longestMuteWindow)
            else { return .mute(.forever) }
            return .mute(.events(Int(events), window: seconds * 1000))
        case .regressed?, nil:
            throw RequestFields.wrong("status", "must be open, resolved or muted")
        }
    }

    private static func only(_ allowed: [[String]], _ given: [String]) throws(APIError) {
        guard !allowed.contains(given) else { return }
        throw APIError(
            400, "invalid_terms",
            "\"resolved\" takes \"release\" or \"after_release\" or neither, \"muted\" takes \"until\", or \"events\" with "
                + "\"window_s\", or neither, and \"open\" none of them")
    }

    /// `POST …/issues/{id}/comments`
    static func comment(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let fields = try RequestFields(request, allowed: ["text", "by"])
        guard let text = try fields.text("text", longest: longestComment) else {
            throw RequestFields.wrong("text", "is missing")
        }
        let issue = try apply([.comment(text)], service, request, by: fields.text("by"))
        return try .json(IssueDocument(issue), status: 201)
    }

    /// `GET …/issues/{id}/history`
    static func history(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let paging = try Paging(request)
        let issue = try IssueHandlers.find(service, request)
        let page = try service.store.history(
            project: try request.requireProject().id, issue: issue.id, after: paging.cursor, limit: paging.limit)
        return try .json(ListDocument(name: "history", items: page.items.map(HistoryDocument.init), next: page.next))
    }

    static func apply(
        _ changes: [IssueChange], _ service: Service, _ request: HTTPRequest, by actor: String?
    ) throws -> Issue {
        let found = try IssueHandlers.find(service, request)
        let changed = try service.store.change(
            project: request.requireProject().id, issue: found.id, changes, by: actor ?? unnamed, now: service.store.now
        )
        guard let changed else { throw APIError.notFound("the issue is gone") }
        return changed
    }
}

/// An entry of an issue's history in the API.
struct HistoryDocument: Encodable {
    var id: Int64
    var at: Timestamp
    var by: String
    var change: String
    @ExplicitNull var text: String?
    var issueID: Int64
    @ExplicitNull var otherIssueID: Int64?
    @ExplicitNull var eventID: String?

    init(_ entry: IssueHistoryEntry) {
        id = entry.id
        at = entry.at
        by = entry.by
        change = entry.change
        text = entry.text
        issueID = entry.issue
        otherIssueID = entry.otherIssue
        eventID = entry.event
    }

    enum CodingKeys: String, CodingKey {
        case id, at, by, change, text
        case issueID = "issue_id"
        case otherIssueID = "other_issue_id"
        case eventID = "event_id"
    }
}
