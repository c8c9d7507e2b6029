// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// Numbers over time, and what events touched.
enum CountHandlers {
    private static let mostParts: Int64 = 1000
    private static let usualParts: Int64 = 30

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
        let (from, to) = try span(request, unit)
        let counts = try service.store.counts(
            project: try request.requireProject().id, issue: issue, unit: unit, from: from, to: to)
        return try .json(ListDocument(name: "counts", items: counts.map(CountDocument.init), next: nil))
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
        let (from, to) = try span(request, .day)
        let rows = try service.store.health(
            project: try request.requireProject().id, release: request.query["release"], from: from, to: to)
        return try .json(ListDocument(name: "health", items: rows.map(HealthDocument.init), next: nil))
    }

    /// From `from` to `to`; usually the last 30 hours or days.
    private static func span(_ request: HTTPRequest, _ unit: CountUnit) throws(APIError) -> (Timestamp, Timestamp) {
        let to = try time("to", request) ?? Timestamp(milliseconds: Timestamp.now.milliseconds + 1)
        let usual = Timestamp(milliseconds: to.milliseconds - (usualParts - 1) * unit.milliseconds)
        let from = try time("from", request) ?? usual
        guard from <= to, (to.milliseconds - from.milliseconds) / unit.milliseconds <= mostParts else {
            throw APIError(
                400, "invalid_span",
                "\"from\" must not be after \"to\", nor more than \(mostParts) \(unit.rawValue)s before")
        }
        return (from, to)
    }

    private static func time(_ name: String, _ request: HTTPRequest) throws(APIError) -> Timestamp? {
        guard let text = request.query[name] else { return nil }
        guard let time = Timestamp(rfc3339: text) else {
            throw RequestFields.wrong(name, "must be a time as \"2026-01-31T12:00:00.000Z\"")
        }
        return time
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
