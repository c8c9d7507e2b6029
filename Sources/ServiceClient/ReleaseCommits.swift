// SPDX-License-Identifier: Apache-2.0
package import Delivery
import FoundationEssentials
package import HTTPClient
import VakaModel

/// Tells the service which commit a release was built from. Thread-safe; each call blocks.
package struct ReleaseCommits: Sendable {
    private let session: ServiceSession
    private let project: String

    /// `token` is an admin token (`va_…`).
    package init(endpoint: ServiceEndpoint, token: String, project: String = "default", retry: RetryPolicy = .init()) {
        session = ServiceSession(endpoint: endpoint, secret: token, policy: retry)
        self.project = project
    }

    package func set(_ commit: String, of release: String) throws {
        let body = try ModelCoding.encode(["release": release, "commit": commit])
        let url = ProjectURL(session.endpoint, project).url("release-commits")
        _ = try session.perform { () throws(ServiceError) in
            HTTPRequest(url: url, headers: ["Content-Type": "application/json"], body: .data(body))
        }
    }
}
