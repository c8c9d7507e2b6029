// SPDX-License-Identifier: Apache-2.0
package import Delivery
import FoundationEssentials
package import HTTPClient
package import VakaModel

/// Reads and replaces what a project wants of its programs. Each call blocks.
package struct SettingsClient: Sendable {
    private struct Answer: Decodable {
        var settings: [String: JSONValue]
    }

    private let session: ServiceSession
    private let url: String

    /// `token` is an admin token (`va_…`).
    package init(endpoint: ServiceEndpoint, token: String, project: String, retry: RetryPolicy = .init()) {
        session = ServiceSession(endpoint: endpoint, secret: token, policy: retry)
        url = endpoint.url("/api/v1/projects/\(project)/sdk-settings")
    }

    package func settings() throws(ServiceError) -> [String: JSONValue] {
        let answer = try session.perform { () throws(ServiceError) in HTTPRequest(url: url) }
        return try session.decode(Answer.self, answer).settings
    }

    /// What the service has then.
    package func replace(_ settings: [String: JSONValue]) throws -> [String: JSONValue] {
        let body = try ModelCoding.encode(settings)
        let answer = try session.perform { () throws(ServiceError) in
            HTTPRequest(url: url, headers: ["Content-Type": "application/json"], body: .data(body))
        }
        return try session.decode(Answer.self, answer).settings
    }
}
