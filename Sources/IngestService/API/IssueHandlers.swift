// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials

/// Reading issues, events and releases.
enum IssueHandlers {
    static func issues(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let paging = try Paging(request)
        let project = try request.requireProject().id
        try service.store.endMutes(project: project, now: service.store.now)
        let page = try service.store.issues(
            project: project, try IssueQuery(request), after: paging.cursor, limit: paging.limit)
        return try .json(ListDocument(name: "issues", items: page.items.map(IssueDocument.init), next: page.next))
    }

    static func issue(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try .json(IssueDocument(try find(service, request)))
    }

    static func events(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let paging = try Paging(request)
        let issue = try find(service, request)
        let page = try service.store.events(
            project: try request.requireProject().id, issue: issue.id, after: paging.cursor, limit: paging.limit)
        return try .json(ListDocument(name: "events", items: page.items.map(EventListDocument.init), next: page.next))
    }

    static func event(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let event = try findEvent(service, request)
        return HTTPResponse(
            status: 200, contentType: "application/json",
            body: try event.currentDocument(service.store, project: request.requireProject().id),
            headers: [
                ("Cache-Control", "no-store"), ("Vaka-Issue", String(event.summary.issue)),
                ("Vaka-Memory", event.summary.memory.rawValue),
            ])
    }

    static func grouping(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let event = try findEvent(service, request)
        return HTTPResponse(
            status: 200, contentType: "application/json", body: try Zstandard.decompress(Data(event.grouping)),
            headers: [("Cache-Control", "no-store")])
    }

    static func releases(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let project = try request.requireProject().id
        let requests = try service.store.requests(project: project)
        let releases = try service.store.releases(project: project, limit: Paging.most).map { release in
            ReleaseDocument(release, requests: requests[release.name] ?? [:])
        }
        return try .json(ListDocument(name: "releases", items: releases, next: nil))
    }

    static func find(_ service: Service, _ request: HTTPRequest) throws -> Issue {
        let text = request.parameters["id"] ?? ""
        let project = try request.requireProject().id
        try service.store.endMutes(project: project, now: service.store.now)
        guard let id = Int64(text), let issue = try service.store.issue(project: project, id: id)
        else {
            throw APIError.notFound("there is no issue \(text.prefix(40)) in this project")
        }
        return issue
    }

    static func findEvent(_ service: Service, _ request: HTTPRequest) throws -> StoredEvent {
        let id = request.parameters["id"] ?? ""
        guard let event = try service.store.event(project: try request.requireProject().id, id: id) else {
            throw APIError.notFound(
                "there is no event \(id.prefix(40)) in this project; one that was just sent appears when it has been worked on"
            )
        }
        return event
    }
}
