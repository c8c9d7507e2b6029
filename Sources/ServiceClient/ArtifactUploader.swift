// SPDX-License-Identifier: Apache-2.0
import Delivery
package import HTTPClient
package import VakaModel

/// Uploads debug images. Thread-safe; each call blocks.
package struct ArtifactUploader: Sendable {
    private let session: ServiceSession
    private let project: String
    /// What is larger goes in parts.
    private let wholeBytes: Int64
    package static let usualWholeBytes: Int64 = 32 << 20

    /// `token` is an admin token (`va_…`).
    package init(
        endpoint: ServiceEndpoint, token: String, project: String = "default", retry: RetryPolicy = .init(),
        wholeBytes: Int64 = usualWholeBytes
    ) {
        self.wholeBytes = wholeBytes
        session = ServiceSession(endpoint: endpoint, secret: token, policy: retry)
        self.project = project
    }

    /// What the service has for a build id.
    package func existing(buildID: BuildID) throws(ServiceError) -> [StoredArtifact] {
        try ArtifactList(session: session, project: project).all(["build_id": buildID.description], most: 1000)
    }

    /// Sends one file, streamed: memory does not grow with its size. A large one goes in parts, and goes on where an earlier
    /// call was cut off. `progress` is called on this thread.
    package func upload(
        file: String, kind: ArtifactKind = .native, buildID: BuildID, release: String?,
        progress: ((_ sent: Int64, _ total: Int64) -> Void)?
    ) throws(ServiceError) -> UploadOutcome {
        var query = ["kind": kind.rawValue, "name": file.split(separator: "/").last.map(String.init) ?? file]
        query["release"] = release
        // A package does not say itself whose it is.
        if kind == .package { query["build_id"] = buildID.description }
        let open = try OpenFile(file)
        var inParts: UploadOutcome?
        if open.size > wholeBytes {
            inParts = try PartialUpload(session: session, project: project, file: open).run(query, progress: progress)
        }
        // Not in parts where it is small, or where they met several servers.
        let outcome = if let inParts { inParts } else { try sendWhole(open, query, progress) }
        guard outcome.buildID == buildID else {
            throw ServiceError(
                .badAnswer,
                "\(file): the service read build id \(outcome.buildID), not \(buildID); "
                    + "the file changed while it was sent: upload it again")
        }
        return outcome
    }

    private func sendWhole(
        _ file: OpenFile, _ query: [String: String], _ progress: ((_ sent: Int64, _ total: Int64) -> Void)?
    ) throws(ServiceError) -> UploadOutcome {
        let url = ProjectURL(session.endpoint, project).url("artifacts", query)
        let answer = try session.perform { () throws(ServiceError) in
            try file.rewind()
            return HTTPRequest(
                url: url, headers: ["Content-Type": "application/octet-stream"],
                body: .file(descriptor: file.descriptor, bytes: UInt64(file.size)), timeout: nil, progress: progress)
        }
        return try session.decode(UploadOutcome.self, answer)
    }
}
