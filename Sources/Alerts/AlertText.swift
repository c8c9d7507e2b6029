// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// What an alert says: as a document for programs and as a text for people.
struct AlertText {
    static let version = 1

    private struct Document: Encodable {
        var alertVersion = AlertText.version
        var alertID: String
        var kind: AlertKind
        var project: String
        @ExplicitNull var issueID: Int64?
        var title: String
        var url: String
        var createdAt: Timestamp
        var details: [String: JSONValue]

        enum CodingKeys: String, CodingKey {
            case kind, project, title, url, details
            case alertVersion = "alert_version"
            case alertID = "alert_id"
            case issueID = "issue_id"
            case createdAt = "created_at"
        }
    }

    let alert: Alert
    /// Of the service, as people reach it.
    let service: String

    /// Of the page that shows more.
    var url: String { alert.issue.map { "\(service)/issues/\($0)" } ?? service + "/" }

    /// The same for each attempt: who got it already knows it by this.
    var id: String { "\(alert.project.slug)-\(alert.id)" }

    func document() throws -> Data {
        try ModelCoding.encode(
            Document(
                alertID: id, kind: alert.kind, project: alert.project.slug, issueID: alert.issue, title: alert.title,
                url: url, createdAt: alert.createdAt, details: alert.details))
    }

    func slackDocument() throws -> Data {
        let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        return try ModelCoding.encode(["text": escaped])
    }

    /// A line.
    var subject: String {
        let what =
            switch alert.kind {
            case .newIssue: "new issue"
            case .regression: "came back"
            case .spike: "many events"
            case .crashFreeDrop: "fewer sessions without a crash"
            case .more: "flood"
            case .test: "test"
            }
        return "[\(alert.project.slug)] \(what): \(alert.title)"
    }

    var text: String {
        let facts = alert.details.sorted { $0.key < $1.key }.compactMap { name, value in
            Self.plain(value).map { "\(name.replacing("_", with: " ")): \($0)" }
        }
        return ([subject] + facts + [url]).joined(separator: "\n")
    }

    private static func plain(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .number(let number): "\((number * 1000).rounded() / 1000)"
        case .bool(let value): value ? "yes" : "no"
        default: nil
        }
    }
}
