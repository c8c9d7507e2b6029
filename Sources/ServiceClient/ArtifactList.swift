// SPDX-License-Identifier: Apache-2.0
package import Delivery
import FoundationEssentials
package import HTTPClient

/// What a project uploaded, and the removal of what it does not need any more. Thread-safe; each call blocks.
package struct ArtifactList: Sendable {
    private struct Removed: Codable {
        var removed: Int
        var bytes: UInt64
    }

    private let session: ServiceSession
    private let project: String

    /// `token` is an admin token (`va_…`).
    package init(endpoint: ServiceEndpoint, token: String, project: String = "default", retry: RetryPolicy = .init()) {
        self.init(
            session: ServiceSession(endpoint: endpoint, secret: token, policy: retry), project: project)
    }

    init(session: ServiceSession, project: String) {
        self.session = session
        self.project = project
    }

    /// The newest first.
    ///
    /// - Parameter unusedDays: only those that no stored event needs and that were there for so many days.
    package func artifacts(unusedDays: Int?) throws(ServiceError) -> [StoredArtifact] {
        try all(unusedDays.map { ["unused_days": String($0)] } ?? [:], most: .max)
    }

    /// Removes those that no stored event needs and that were there for so many days.
    package func removeUnused(days: Int) throws(ServiceError) -> (removed: Int, bytes: UInt64) {
        let url = ProjectURL(session.endpoint, project).url("artifacts/remove-unused", ["unused_days": String(days)])
        let answer = try session.perform { () throws(ServiceError) in HTTPRequest(url: url, body: .data(Data())) }
        let removed = try session.decode(Removed.self, answer)
        return (removed.removed, removed.bytes)
    }

    func all(_ query: [String: String], most: Int) throws(ServiceError) -> [StoredArtifact] {
        var artifacts: [StoredArtifact] = []
        var query = query
        repeat {
            let url = ProjectURL(session.endpoint, project).url("artifacts", query)
            let answer = try session.perform { () throws(ServiceError) in HTTPRequest(url: url) }
            let page = try session.decode(StoredArtifact.Page.self, answer)
            artifacts += page.artifacts
            query["cursor"] = page.artifacts.isEmpty ? nil : page.nextCursor
        } while query["cursor"] != nil && artifacts.count < most
        return artifacts
    }
}
