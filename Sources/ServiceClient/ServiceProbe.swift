import Delivery
// SPDX-License-Identifier: Apache-2.0
package import HTTPClient

/// Asks a service whether it is one and takes a project's ingest key. Nothing is sent but the key.
package struct ServiceProbe: Sendable {
    private static let longest: Duration = .seconds(10)

    private let session: ServiceSession

    package init(endpoint: ServiceEndpoint, key: String) {
        session = ServiceSession(endpoint: endpoint, secret: key, policy: RetryPolicy(bound: .zero))
    }

    package func ask() throws(ServiceError) {
        _ = try session.perform { () throws(ServiceError) in
            HTTPRequest(url: session.endpoint.url("/api/v1/sdk-settings"), timeout: Self.longest)
        }
    }
}
