// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import Glibc
package import HTTPClient
package import VakaModel

/// Uploads debug images. Thread-safe; each call blocks.
package struct ArtifactUploader: Sendable {
    private let session: ServiceSession
    private let project: String

    /// `token` is an admin token (`va_…`).
    package init(endpoint: ServiceEndpoint, token: String, project: String = "default", retry: RetryPolicy = .init()) {
        session = ServiceSession(endpoint: endpoint, secret: token, policy: retry)
        self.project = project
    }

    /// What the service has for a build id.
    package func existing(buildID: BuildID) throws(ServiceError) -> [StoredArtifact] {
        var artifacts: [StoredArtifact] = []
        var cursor: String?
        repeat {
            var query = ["build_id": buildID.description]
            query["cursor"] = cursor
            let url = url(query)
            let answer = try session.perform { () throws(ServiceError) in HTTPRequest(url: url) }
            let page = try session.decode(StoredArtifact.Page.self, answer)
            artifacts += page.artifacts
            cursor = page.artifacts.isEmpty ? nil : page.nextCursor
        } while cursor != nil && artifacts.count < 1000
        return artifacts
    }

    /// Sends one file, streamed: memory does not grow with its size. `progress` is called on this thread.
    package func upload(
        file: String, kind: ArtifactKind = .native, buildID: BuildID, release: String?,
        progress: ((_ sent: Int64, _ total: Int64) -> Void)?
    ) throws(ServiceError) -> UploadOutcome {
        var query = ["kind": kind.rawValue, "name": file.split(separator: "/").last.map(String.init) ?? file]
        query["release"] = release
        // A package does not say itself whose it is.
        if kind == .package { query["build_id"] = buildID.description }
        let url = url(query)
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(file) }
        defer { close(descriptor) }
        let answer = try session.perform { () throws(ServiceError) in
            var information = stat()
            guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
                lseek(descriptor, 0, SEEK_SET) == 0
            else { throw unreadable(file) }
            return HTTPRequest(
                url: url, headers: ["Content-Type": "application/octet-stream"],
                body: .file(descriptor: descriptor, bytes: UInt64(information.st_size)), timeout: nil,
                progress: progress)
        }
        let outcome = try session.decode(UploadOutcome.self, answer)
        guard outcome.buildID == buildID else {
            throw ServiceError(
                .badAnswer,
                "\(file): the service read build id \(outcome.buildID), not \(buildID); "
                    + "the file changed while it was sent: upload it again", status: answer.status)
        }
        return outcome
    }

    private func unreadable(_ file: String) -> ServiceError {
        let reason = errno == 0 ? "it is no regular file" : String(cString: strerror(errno))
        return ServiceError(.fileUnreadable, "\(file): cannot be read (\(reason)); see that it exists and is a file")
    }

    private func url(_ query: [String: String]) -> String {
        let pairs = query.sorted { $0.key < $1.key }.map {
            "\(PercentEncoding.encode($0.key))=\(PercentEncoding.encode($0.value))"
        }
        return session.endpoint.url(
            "/api/v1/projects/\(PercentEncoding.encode(project))/artifacts?" + pairs.joined(separator: "&"))
    }
}
