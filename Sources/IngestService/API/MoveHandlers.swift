// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import Grouping
import VakaModel

/// Merging and splitting issues, and undoing it.
enum MoveHandlers {
    static let mostChosen = 1000
    /// So many of the events that moved tell what the new issue is searched by.
    private static let mostRead = 20

    private struct MoveReply: Encodable {
        var moveID: Int64
        var issue: IssueDocument

        enum CodingKeys: String, CodingKey {
            case moveID = "move_id"
            case issue
        }
    }

    /// `POST …/issues/{id}/merge`
    static func merge(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let fields = try RequestFields(request, allowed: ["into", "by"])
        guard let target = try fields.integer("into", in: 1...Int64.max) else {
            throw RequestFields.wrong("into", "is missing")
        }
        let issue = try IssueHandlers.find(service, request)
        let result = try service.store.merge(
            project: try request.requireProject().id, issue: issue.id, into: target, by: actor(fields),
            now: service.store.now)
        return try reply(result, service, request)
    }

    /// `POST …/issues/{id}/split`
    static func split(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let fields = try RequestFields(request, allowed: ["events", "keys", "by"])
        let events = try fields.texts("events", most: mostChosen)
        let keys = try fields.texts("keys", most: mostChosen)
        let part: IssuePart
        switch (events, keys) {
        case (let events?, nil): part = .events(events)
        case (nil, let keys?): part = .keys(try keys.map(key))
        default: throw APIError(400, "invalid_part", "send \"events\", a list of ids, or \"keys\", a list of \"F:…\"")
        }
        let project = try request.requireProject().id
        let issue = try IssueHandlers.find(service, request)
        let result = try split(part, of: issue.id, service, project, by: actor(fields))
        return try reply(result, service, request, status: 201)
    }

    static func split(
        _ part: IssuePart, of issue: Int64, _ service: Service, _ project: Int64, by actor: String
    ) throws -> MoveResult {
        let result = try service.store.split(
            project: project, issue: issue, part, by: actor, now: service.store.now)
        if case .done(_, let made) = result { try describe(made, service, project) }
        return result
    }

    /// `POST …/moves/{id}/undo`
    static func undo(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let fields = try RequestFields(request, allowed: ["by"])
        let text = request.parameters["id"] ?? ""
        guard let move = Int64(text) else { throw APIError.notFound("there is no move \(text.prefix(40))") }
        let result = try service.store.undo(
            project: try request.requireProject().id, move: move, by: actor(fields), now: service.store.now)
        return try reply(result, service, request)
    }

    /// `GET …/issues/{id}/keys`
    static func keys(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let issue = try IssueHandlers.find(service, request)
        let keys = try service.store.keys(
            project: try request.requireProject().id, issue: issue.id, limit: try Paging(request, usual: 100).limit)
        return try .json(ListDocument(name: "keys", items: keys.map(KeyDocument.init), next: nil))
    }

    /// `GET …/issues/{id}/moves`
    static func moves(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let issue = try IssueHandlers.find(service, request)
        let moves = try service.store.moves(
            project: try request.requireProject().id, issue: issue.id, limit: try Paging(request, usual: 100).limit)
        return try .json(ListDocument(name: "moves", items: moves.map(MoveDocument.init), next: nil))
    }

    private static func actor(_ fields: RequestFields) throws(APIError) -> String {
        try fields.text("by") ?? TriageHandlers.unnamed
    }

    private static func key(_ text: String) throws -> IssueKey {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { throw RequestFields.wrong("keys", "must be as \"F:0123…\"") }
        return IssueKey(kind: String(parts[0]), value: String(parts[1]))
    }

    private static func reply(
        _ result: MoveResult, _ service: Service, _ request: HTTPRequest, status: Int = 200
    ) throws -> HTTPResponse {
        let id = try issue(of: result)
        guard case .done(let move, _) = result,
            let issue = try service.store.issue(project: request.requireProject().id, id: id)
        else { throw APIError.notFound("the issue is gone") }
        return try .json(MoveReply(moveID: move, issue: IssueDocument(issue)), status: status)
    }

    /// The one that has the events now.
    static func issue(of result: MoveResult) throws(APIError) -> Int64 {
        switch result {
        case .done(_, let issue): return issue
        case .notFound(let what): throw APIError.notFound("there is no \(what.prefix(120))")
        case .refused(let why): throw APIError(409, "refused", why)
        }
    }

    private static func describe(_ issue: Int64, _ service: Service, _ project: Int64) throws {
        var texts: [SearchText] = []
        var culprit: String?
        for summary in try service.store.events(project: project, issue: issue, after: nil, limit: mostRead).items {
            guard let stored = try service.store.event(project: project, id: summary.eventID),
                let event = try? ModelCoding.decode(Event.self, from: Zstandard.decompress(Data(stored.document))),
                let grouping = try? ModelCoding.decode(
                    GroupingResult.self, from: Zstandard.decompress(Data(stored.grouping)))
            else { continue }
            texts += [SearchText(.title, grouping.title)] + event.searchTexts
            culprit = culprit ?? grouping.culprit
        }
        try service.store.describe(project: project, issue: issue, culprit: culprit, texts: texts)
    }
}

/// A key of an issue in the API.
struct KeyDocument: Encodable {
    var version: Int
    var kind: String
    var value: String
    var events: Int

    init(_ use: IssueKeyUse) {
        version = use.version
        kind = use.key.kind
        value = use.key.value
        events = use.events
    }
}

/// A merge, split or fold in the API.
struct MoveDocument: Encodable {
    var id: Int64
    var kind: String
    var fromIssueID: Int64
    var toIssueID: Int64
    var at: Timestamp
    var by: String
    @ExplicitNull var undoneAt: Timestamp?

    init(_ move: IssueMove) {
        id = move.id
        kind = move.kind.rawValue
        fromIssueID = move.source
        toIssueID = move.target
        at = move.at
        by = move.by
        undoneAt = move.undoneAt
    }

    enum CodingKeys: String, CodingKey {
        case id, kind, at, by
        case fromIssueID = "from_issue_id"
        case toIssueID = "to_issue_id"
        case undoneAt = "undone_at"
    }
}
