// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// Numbers over time, and what events touched.
enum CountHandlers {
    /// `GET …/counts`
    static func project(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try counts(service, request, issue: nil)
    }

    /// `GET …/issues/{id}/counts`
    static func issue(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try counts(service, request, issue: try IssueHandlers.find(service, request).id)
    }

    private static func counts(_ service: Service, _ request: HTTPRequest, issue: Int64?) throws -> HTTPResponse {
        let unit = try choice("unit", CountUnit.self, request) ?? .day
        let span = try CountSpan(request, unit)
        let project = try request.requireProject().id
        let counts =
            try span.isEmpty
            ? [] : service.store.counts(project: project, issue: issue, unit: unit, from: span.from, to: span.to)
        return try .json(ListDocument(name: "counts", items: counts.map(CountDocument.init), next: span.next))
    }

    /// `GET …/issues/{id}/affected`
    static func affected(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let issue = try IssueHandlers.find(service, request)
        let limit = try Paging(request, usual: 100).limit
        let values = try service.store.values(
            project: try request.requireProject().id, issue: issue.id,
            kind: try choice("by", IssueValue.Kind.self, request) ?? .release, limit: limit)
        return try .json(ListDocument(name: "affected", items: values.map(ValueDocument.init), next: nil))
    }

    /// `GET …/health`
    static func health(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let span = try CountSpan(request, .day, newestFirst: true)
        let (project, release) = (try request.requireProject().id, request.query["release"])
        let rows =
            try span.isEmpty
            ? [] : service.store.health(project: project, release: release, from: span.from, to: span.to)
        return try .json(ListDocument(name: "health", items: rows.map(HealthDocument.init), next: span.next))
    }

    /// One of the words that a parameter may be.
    static func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Choice.Type, _ request: HTTPRequest
    ) throws(APIError) -> Choice? where Choice.RawValue == String {
        guard let text = request.query[name] else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw RequestFields.wrong(name, "must be one of \(words)")
        }
        return choice
    }
}
