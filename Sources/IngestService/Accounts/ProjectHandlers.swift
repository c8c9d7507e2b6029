// SPDX-License-Identifier: Apache-2.0
import EventStore

/// Projects, and what was done in them.
enum ProjectHandlers {
    /// Those that the token may see.
    static func list(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let own = try request.requireProject()
        let projects = request.caller?.may(.server) == true ? try service.store.projects() : [own]
        return try .json(
            ListDocument(name: "projects", items: projects.map { ProjectDocument(name: $0.slug) }, next: nil))
    }

    /// With its first ingest key.
    static func add(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let fields = try RequestFields(request, allowed: ["name"])
        guard let name = AccountNames.project(try fields.text("name") ?? "") else {
            throw RequestFields.wrong("name", "must be lowercase letters, digits and - (at most 63)")
        }
        let key = Secrets.makeKey()
        let project = try service.store.createProject(slug: name, credentials: [Secrets.credential(.ingest, key)])
        var response = try HTTPResponse.json(ProjectDocument(name: project.slug, ingestKey: key), status: 201)
        response.subject = name
        return response
    }

    static func auditLog(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try log(service, request, project: try request.requireProject().id)
    }

    static func wholeAuditLog(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try log(service, request, project: nil)
    }

    private static func log(_ service: Service, _ request: HTTPRequest, project: Int64?) throws -> HTTPResponse {
        let paging = try Paging(request)
        let page = try service.store.auditLog(project: project, after: paging.cursor, limit: paging.limit)
        let names = Dictionary(uniqueKeysWithValues: try service.store.projects().map { ($0.id, $0.slug) })
        let items = page.items.map { AuditDocument($0, projects: names) }
        return try .json(ListDocument(name: "audit_log", items: items, next: page.next))
    }
}
