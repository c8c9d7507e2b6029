// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// Where the code of a project is hosted, and the commits of its releases.
enum SourceLinkHandlers {
    static let longest = 1000

    static let template = RouteField(
        name: "template",
        schema: [
            "type": ["string", "null"], "maxLength": .integer(Int64(longest)),
            "pattern": "^https?://[ -~]*\\{path\\}[ -~]*$",
        ])

    private struct LinkDocument: Encodable {
        @ExplicitNull var template: String?
        @ExplicitNull var prefix: String?

        init(_ link: SourceLink?) {
            template = link?.template
            prefix = link?.prefix
        }
    }

    private struct CommitDocument: Encodable {
        var release: String
        var commit: String
    }

    private struct LineDocument: Encodable {
        var file: String
        var line: Int
        var url: String
    }

    /// `GET …/source-link`
    static func show(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try .json(LinkDocument(try service.store.sourceLink(project: try request.requireProject().id)))
    }

    /// `PUT …/source-link`
    static func set(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let fields = try RequestFields(request, allowed: ["template", "prefix"])
        let prefix = try fields.text("prefix", longest: longest)
        let link = try fields.text("template", longest: longest).map { template throws(APIError) in
            guard template.hasPrefix("https://") || template.hasPrefix("http://"), template.contains(SourceLinks.path)
            else {
                throw RequestFields.wrong(
                    "template", "must be an address with {path} in it, as https://…/blob/{commit}/{path}#L{line}")
            }
            return SourceLink(template: template, prefix: prefix)
        }
        try service.store.setSourceLink(link, project: try request.requireProject().id)
        return try .json(LinkDocument(link))
    }

    /// `POST …/release-commits`
    static func setCommit(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let fields = try RequestFields(request, allowed: ["release", "commit"])
        guard let release = try fields.text("release") else { throw RequestFields.wrong("release", "is missing") }
        guard let commit = try fields.text("commit") else { throw RequestFields.wrong("commit", "is missing") }
        try service.store.setCommit(commit, of: release, project: try request.requireProject().id)
        return try .json(CommitDocument(release: release, commit: commit))
    }

    /// `GET …/events/{id}/source-links`
    static func links(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let stored = try IssueHandlers.findEvent(service, request)
        let project = try request.requireProject().id
        let document = try stored.currentDocument(service.store, project: project)
        let event = try ModelCoding.decode(Event.self, from: document)
        var seen: Set<String> = []
        var lines: [LineDocument] = []
        if let links = try SourceLinks(event, service, project: project) {
            for frame in event.threads.flatMap(\.frames) + event.errors.flatMap(\.frames) {
                guard let url = links.address(of: frame), seen.insert(url).inserted else { continue }
                lines.append(LineDocument(file: frame.file ?? "", line: frame.line ?? 0, url: url))
            }
        }
        return try .json(ListDocument(name: "source_links", items: lines, next: nil))
    }
}
