// SPDX-License-Identifier: Apache-2.0
import DebugImages
import EventStore
import FoundationEssentials
import SourceBundles
import VakaModel

/// Debug images, packages and source bundles: uploads, their list, and the debuginfod protocol over them. The bytes are parsed in a
/// worker only.
enum ArtifactHandlers {
    private struct ArtifactDocument: Encodable {
        var buildID: String
        var kind: ArtifactKind
        var hasCode: Bool
        var hasDebugInfo: Bool
        var size: Int64
        @ExplicitNull var name: String?
        @ExplicitNull var release: String?
        var uploadedAt: Timestamp
        /// Stored events that need it.
        var events: Int
        /// Of a source bundle only.
        var sourceFiles: Int?
        var verifiedFiles: Int?

        init(_ artifact: Artifact) {
            buildID = artifact.buildID
            kind = artifact.kind
            hasCode = artifact.hasCode
            hasDebugInfo = artifact.hasDebugInfo
            size = artifact.size
            name = artifact.name
            release = artifact.release
            uploadedAt = artifact.uploadedAt
            events = artifact.events
            sourceFiles = artifact.sourceFiles
            verifiedFiles = artifact.verifiedFiles
        }

        enum CodingKeys: String, CodingKey {
            case buildID = "build_id"
            case hasCode = "has_code"
            case hasDebugInfo = "has_debug_info"
            case uploadedAt = "uploaded_at"
            case sourceFiles = "source_files"
            case verifiedFiles = "verified_files"
            case kind, size, name, release, events
        }
    }

    static func upload(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let label = try UploadLabel(request)
        guard case .file(let path, _, let hash) = request.body else {
            throw APIError(400, "empty_body", "the ELF file, or the source bundle, must be the request's body")
        }
        let reply = try take(service, try request.requireProject(), label, path: path, hash: hash)
        return try .json(reply, status: reply.isStored ? 201 : 200)
    }

    /// Has a worker read the file and move it to the others. Nobody removes what is just being stored.
    static func take(
        _ service: Service, _ project: Project, _ label: UploadLabel, path: String, hash: String
    ) throws -> UploadReply {
        try service.images.uploading {
            try service.storing.withLock { _ in
                let (artifact, reply) =
                    switch label.kind {
                    case .sources: try bundle(service, path, hash)
                    case .package: try package(service, project, label, path, hash)
                    default: try image(service, path, hash)
                    }
                try record(artifact, label, reply, project, service)
                return reply
            }
        }
    }

    private static func record(
        _ artifact: Artifact, _ label: UploadLabel, _ reply: UploadReply, _ project: Project, _ service: Service
    ) throws {
        let known = try service.store.artifacts(
            project: project.id, ArtifactFilter(buildID: artifact.buildID, kind: label.kind), after: nil, limit: 1)
        // Another project may have brought the file; this one may have it from now on, too.
        guard reply.isStored || known.items.isEmpty else { return }
        var named = artifact
        named.name = label.name
        named.release = label.release
        if try service.store.addArtifact(named, project: project.id) > 0 { service.wakePipeline() }
        guard reply.isStored else { return }
        switch label.kind {
        case .package: service.metrics.add(.packagesStored)
        case .sources: service.metrics.add(.bundlesStored)
        default: service.metrics.add(.imagesStored)
        }
    }

    private static func image(
        _ service: Service, _ path: String, _ hash: String
    ) throws -> (Artifact, UploadReply) {
        let reply = try service.images.take(WorkerJob(kind: .image, path: path), hash: hash)
        guard let image = reply.image else { throw refusal(reply.failure, "the file") }
        let artifact = Artifact(
            buildID: image.buildID, hasCode: image.hasCode, hasDebugInfo: image.hasDebugInfo,
            size: Int64(clamping: image.size), name: nil, release: nil, uploadedAt: .now)
        return (artifact, UploadReply(image))
    }

    /// A package has no build id of its own: the sender names that of its image, which must be the project's.
    private static func package(
        _ service: Service, _ project: Project, _ label: UploadLabel, _ path: String, _ hash: String
    ) throws -> (Artifact, UploadReply) {
        let buildID = try requireUploaded(.native, service, project, id: label.buildID)
        let reply = try service.images.take(WorkerJob(kind: .package, path: path, buildID: buildID), hash: hash)
        guard let package = reply.package else { throw refusal(reply.failure, "the package") }
        let artifact = Artifact(
            buildID: package.buildID, kind: .package, hasDebugInfo: true, size: Int64(clamping: package.size),
            name: nil,
            release: nil, uploadedAt: .now)
        return (artifact, UploadReply(package))
    }

    private static func bundle(
        _ service: Service, _ path: String, _ hash: String
    ) throws -> (Artifact, UploadReply) {
        let reply = try service.images.take(WorkerJob(kind: .bundle, path: path), hash: hash)
        guard let bundle = reply.bundle else { throw refusal(reply.failure, "the bundle:") }
        let artifact = Artifact(
            buildID: bundle.buildID, kind: .sources, size: Int64(clamping: bundle.size), name: nil, release: nil,
            uploadedAt: .now, sourceFiles: bundle.files, verifiedFiles: bundle.verified)
        return (artifact, UploadReply(bundle))
    }

    private static func refusal(_ failure: WorkerReply.Failure?, _ subject: String) -> APIError {
        let failure = failure ?? WorkerReply.Failure(code: "malformed", message: "cannot be read")
        let status = ["storage": 507, "failed": 500, "unreadable": 500, "too_large": 413][failure.code] ?? 400
        return APIError(status, failure.code, "\(subject) \(failure.message)")
    }

    static func list(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let paging = try Paging(request, usual: 100)
        var buildID = request.query["build_id"]
        if let text = buildID {
            guard let parsed = BuildID(hex: text) else {
                throw APIError(400, "invalid_build_id", "\"build_id\" must be 2 to 64 hexadecimal digits")
            }
            buildID = parsed.description
        }
        let filter = ArtifactFilter(buildID: buildID, unusedBefore: try UnusedImageHandlers.time(request))
        let page = try service.store.artifacts(
            project: try request.requireProject().id, filter, after: paging.cursor, limit: paging.limit)
        return try .json(ListDocument(name: "artifacts", items: page.items.map(ArtifactDocument.init), next: page.next))
    }

    static func debuginfo(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try file(service, request) { service.images.folder.debugInfo($0) }
    }

    static func executable(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try file(service, request) { service.images.folder.executable($0) }
    }

    /// The bytes of one section, as they are in the file.
    static func section(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let buildID = try requireUploaded(
            .native, service, try request.requireProject(), id: request.parameters["id"])
        try service.images.bring(buildID)
        let job = WorkerJob(kind: .section, path: request.parameters["name"], buildID: buildID)
        guard case .reply(let reply, _) = try service.intake.askWorker(job) else {
            throw APIError(500, "failed", "the image could not be read; upload it again")
        }
        guard let section = reply.section, section.offset <= .max - section.size,
            let path = section.isInExecutable
                ? service.images.folder.executable(buildID) : service.images.folder.debugInfo(buildID)
        else { throw APIError.notFound("build id \(buildID) has no such section with bytes") }
        return try .file(
            path: path, piece: section.offset..<section.offset + section.size,
            headers: [("Cache-Control", "private, max-age=86400"), ("X-DEBUGINFOD-SIZE", "\(section.size)")],
            request: request)
    }

    /// Only images that were uploaded to the token's project.
    private static func file(
        _ service: Service, _ request: HTTPRequest, _ path: (BuildID) -> String?
    ) throws -> HTTPResponse {
        let buildID = try requireUploaded(.native, service, try request.requireProject(), id: request.parameters["id"])
        try service.images.bring(buildID)
        guard let path = path(buildID) else {
            throw APIError.notFound("no such file was uploaded for build id \(buildID)")
        }
        // Clients draw their progress by the size, also where a proxy compresses what is sent.
        let size = FileVersion(path: path)?.size ?? 0
        return try .file(
            path: path,
            headers: [("Cache-Control", "private, max-age=86400"), ("X-DEBUGINFOD-SIZE", "\(size)")], request: request)
    }

    /// debuginfod's clients send the path whole, its first slash included, coded or not.
    static func source(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let buildID = try requireUploaded(.sources, service, try request.requireProject(), id: request.parameters["id"])
        try service.images.bring(buildID)
        let written = request.parameters["path"] ?? ""
        // Relative paths are in debug information whose folders were mapped away.
        for path in Set(["/" + written, written].map(SourcePath.normalized)).sorted() where !path.isEmpty {
            let job = WorkerJob(kind: .sourceFile, path: path, buildID: buildID)
            guard case .reply(let reply, let bytes) = try service.intake.askWorker(job) else {
                throw APIError(500, "failed", "the source bundle could not be read; upload it again")
            }
            if reply.failure == nil {
                return HTTPResponse(
                    status: 200, contentType: "application/octet-stream", body: bytes,
                    headers: [("Cache-Control", "private, max-age=86400")])
            }
        }
        throw APIError.notFound("the source bundle of build id \(buildID) has no such file")
    }

    /// The build id, when something of this kind was uploaded for it to the token's project.
    private static func requireUploaded(
        _ kind: ArtifactKind, _ service: Service, _ project: Project, id: String?
    ) throws -> BuildID {
        guard let buildID = BuildID(hex: id ?? ""), buildID.bytes.count > 1 else {
            throw APIError(400, "invalid_build_id", "a build id is 4 to 64 hexadecimal digits")
        }
        let known = try service.store.artifacts(
            project: project.id, ArtifactFilter(buildID: buildID.description, kind: kind), after: nil, limit: 1)
        guard !known.items.isEmpty else {
            throw APIError.notFound("no such file was uploaded for build id \(buildID)")
        }
        return buildID
    }
}
