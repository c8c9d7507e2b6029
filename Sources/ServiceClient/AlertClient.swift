// SPDX-License-Identifier: Apache-2.0
package import Delivery
import FoundationEssentials
package import HTTPClient
package import VakaModel

/// Whom a project tells of what, and what became of that. Documents are as the service has them. Thread-safe; each call blocks.
package struct AlertClient: Sendable {
    private let session: ServiceSession
    private let project: ProjectURL

    /// `token` is an admin token (`va_…`).
    package init(endpoint: ServiceEndpoint, token: String, project: String, retry: RetryPolicy = .init()) {
        session = ServiceSession(endpoint: endpoint, secret: token, policy: retry)
        self.project = ProjectURL(endpoint, project)
    }

    package func targets() throws(ServiceError) -> [JSONValue] { try list("alert-targets", "alert_targets") }
    package func alerts() throws(ServiceError) -> [JSONValue] { try list("alerts", "alerts") }

    /// `kinds` nil is all there are.
    package func add(channel: String, address: String, kinds: [String]?) throws -> JSONValue {
        var fields: [String: JSONValue] = ["channel": .string(channel), "address": .string(address)]
        fields["kinds"] = kinds.map { .array($0.map { .string($0) }) }
        return try post("alert-targets", try ModelCoding.encode(fields))
    }

    package func remove(_ id: String) throws(ServiceError) -> JSONValue {
        try post("alert-targets/\(id)/remove", Data())
    }

    /// What became of the first attempt.
    package func test(_ id: String) throws(ServiceError) -> JSONValue { try post("alert-targets/\(id)/test", Data()) }

    private func list(_ path: String, _ name: String) throws(ServiceError) -> [JSONValue] {
        let url = project.url(path)
        let answer = try session.perform { () throws(ServiceError) in HTTPRequest(url: url) }
        guard case .array(let items)? = try session.decode(JSONValue.self, answer)[name] else { return [] }
        return items
    }

    private func post(_ path: String, _ body: Data) throws(ServiceError) -> JSONValue {
        let url = project.url(path)
        let headers = body.isEmpty ? [:] : ["Content-Type": "application/json"]
        let answer = try session.perform { () throws(ServiceError) in
            HTTPRequest(url: url, headers: headers, body: .data(body))
        }
        return try session.decode(JSONValue.self, answer)
    }
}
