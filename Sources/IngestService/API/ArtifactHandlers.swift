// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

/// Debug images: uploads, their list, and the debuginfod protocol over them. The bytes are parsed in a worker only.
enum ArtifactHandlers {
    private struct ArtifactDocument: Encodable {
        var buildID: String
        var hasCode: Bool
        var hasDebugInfo: Bool
        var size: Int64
        @ExplicitNull var name: String?
        @ExplicitNull var release: String?
        var uploadedAt: Timestamp

        init(_ artifact: Artifact) {
            buildID = artifact.buildID
            hasCode = artifact.hasCode
            hasDebugInfo = artifact.hasDebugInfo
            size = artifact.size
            name = artifact.name
            release = artifact.release
            uploadedAt = artifact.uploadedAt
        }

        enum CodingKeys: String, CodingKey {
            case buildID = "build_id"
            case hasCode = "has_code"
            case hasDebugInfo = "has_debug_info"
            case uploadedAt = "uploaded_at"
            case size, name, release
        }
    }

    static func upload(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let project = try request.requireProject()
        guard request.query["kind"] ?? "native" == "native" else {
            throw APIError(400, "unknown_kind", "\"kind\" must be native")
        }
        guard case .file(let path, _) = request.body else {
            throw APIError(400, "empty_body", "the ELF file must be the request's body")
        }
        let image = try identify(service, path)
        let reply = UploadReply(image)
        let known = try service.store.artifacts(project: project.id, buildID: image.buildID, after: nil, limit: 1)
        // Another project may have brought the file; this one may have it from now on, too.
        guard reply.isStored || known.items.isEmpty else { return try .json(reply) }
        let artifact = Artifact(
            buildID: image.buildID, hasCode: image.hasCode, hasDebugInfo: image.hasDebugInfo,
            size: Int64(clamping: image.size), name: label(request.query["name"]),
            release: label(request.query["release"]), uploadedAt: .now)
        let waiting = try service.store.addArtifact(artifact, project: project.id)
        if waiting > 0 { service.wakePipeline() }
        guard reply.isStored else { return try .json(reply) }
        service.metrics.add(.imagesStored)
        return try .json(reply, status: 201)
    }

    private static func label(_ text: String?) -> String? {
        text.flatMap { $0.isEmpty ? nil : String($0.prefix(256)) }
    }

    private static func identify(_ service: Service, _ path: String) throws -> WorkerReply.Image {
        switch try service.askWorker(WorkerJob(kind: .image, path: path)) {
        case .died(let how):
            service.log("an upload killed the worker: \(how)")
            throw APIError(
                400, "malformed",
                "the file could not be read as an ELF image (\(how)); link it anew and upload it again")
        case .reply(let reply, _):
            if let image = reply.image { return image }
            throw refusal(reply.failure ?? WorkerReply.Failure(code: "malformed", message: "cannot be read"))
        }
    }

    private static func refusal(_ failure: WorkerReply.Failure) -> APIError {
        let status = ["storage": 507, "failed": 500, "unreadable": 500][failure.code] ?? 400
        return APIError(status, failure.code, "the file \(failure.message)")
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
        let page = try service.store.artifacts(
            project: try request.requireProject().id, buildID: buildID, after: paging.cursor, limit: paging.limit)
        return try .json(ListDocument(name: "artifacts", items: page.items.map(ArtifactDocument.init), next: page.next))
    }

    static func debuginfo(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try file(service, request) { service.images.debugInfo($0) }
    }

    static func executable(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try file(service, request) { service.images.executable($0) }
    }

    /// Only images that were uploaded to the token's project.
    private static func file(
        _ service: Service, _ request: HTTPRequest, _ path: (BuildID) -> String?
    ) throws -> HTTPResponse {
        let text = request.parameters["id"] ?? ""
        guard let buildID = BuildID(hex: text), buildID.bytes.count > 1 else {
            throw APIError(400, "invalid_build_id", "a build id is 4 to 64 hexadecimal digits")
        }
        let known = try service.store.artifacts(
            project: try request.requireProject().id, buildID: buildID.description, after: nil, limit: 1)
        guard !known.items.isEmpty, let path = path(buildID) else {
            throw APIError.notFound("no such file was uploaded for build id \(buildID)")
        }
        return .file(path: path, headers: [("Cache-Control", "private, max-age=86400")])
    }
}
