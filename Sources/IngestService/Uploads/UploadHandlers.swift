// SPDX-License-Identifier: Apache-2.0
import DebugImages
import EventStore
import FoundationEssentials
import VakaModel

/// Uploads in parts, which go on where they were cut off.
enum UploadHandlers {
    /// What senders are asked to send at a time.
    private static let partBytes: Int64 = 8 << 20

    private struct UploadDocument: Encodable {
        var uploadID: String
        var size: Int64
        /// Bytes that are there.
        var offset: Int64
        var partBytes = UploadHandlers.partBytes
        /// Once it was taken.
        @ExplicitNull var result: UploadReply?

        enum CodingKeys: String, CodingKey {
            case uploadID = "upload_id"
            case partBytes = "part_bytes"
            case size, offset, result
        }
    }

    /// `POST …/uploads?kind=&size=&sha256=`: begins an upload, or finds the one of the same file.
    static func begin(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        let project = try request.requireProject()
        var upload = try described(request, project, most: service.options.limits.uploadBytes)
        let known = service.uploads.upload(upload.id, project: project.id)
        if let result = known?.result {
            // What was removed since is wanted again.
            let filter = ArtifactFilter(buildID: result.buildID, kind: upload.kind)
            if try service.store.artifacts(project: project.id, filter, after: nil, limit: 1).items.isEmpty {
                service.uploads.remove(upload.id)
            } else {
                upload.result = result
            }
        } else if known == nil, service.uploads.open(project: project.id) >= UploadFolder.mostOpen {
            throw APIError(
                429, "too_many_uploads",
                "\(UploadFolder.mostOpen) uploads of the project are unfinished; finish some, or wait until they are a week old",
                headers: [("Retry-After", "3600")])
        }
        if upload.result == nil { try service.uploads.keep(upload) }
        return try document(upload, service, status: known == nil ? 201 : 200)
    }

    /// `GET …/uploads/{id}`
    static func state(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try document(try find(service, request), service)
    }

    /// `POST …/uploads/{id}?offset=N`: the body was appended on its way.
    static func part(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        try document(try find(service, request), service)
    }

    /// `POST …/uploads/{id}/finish`: the file is whole; it is checked and taken like one that came at once.
    static func finish(_ service: Service, _ request: HTTPRequest) throws -> HTTPResponse {
        var upload = try find(service, request)
        if upload.result != nil { return try document(upload, service) }
        let id = upload.id
        let path = service.uploads.part(id)
        let file = try PartFile(path)
        guard file.size == upload.size else {
            throw APIError(409, "unfinished", "\(file.size) of \(upload.size) bytes are there; send the rest first")
        }
        let digests = try file.digests()
        guard digests.sha256 == upload.sha256 else {
            service.uploads.remove(id)
            throw APIError(
                422, "wrong_digest",
                "what came has the SHA-256 \(digests.sha256), not \(upload.sha256); upload it again")
        }
        do {
            let label = UploadLabel(
                kind: upload.kind, name: upload.name, release: upload.release, buildID: upload.buildID)
            upload.result = try ArtifactHandlers.take(
                service, try request.requireProject(), label, path: path, hash: digests.content)
        } catch let error as APIError where (400..<500).contains(error.status) && error.status != 404 {
            // It will not get better; but the image of a package may come.
            service.uploads.remove(id)
            throw error
        }
        service.uploads.remove(id)
        try service.uploads.keep(upload)
        return try document(upload, service, status: upload.result?.isStored == true ? 201 : 200)
    }

    static func notFound(_ id: String) -> APIError {
        APIError(
            404, "unknown_upload",
            "this server has no upload \(id.prefix(40)) that goes on; begin it again, or, where servers stand behind one "
                + "address and another has it, send the file in one request")
    }

    private static func find(_ service: Service, _ request: HTTPRequest) throws -> PartialUpload {
        let id = request.parameters["id"] ?? ""
        guard let upload = service.uploads.upload(id, project: try request.requireProject().id) else {
            throw notFound(id)
        }
        return upload
    }

    private static func document(
        _ upload: PartialUpload, _ service: Service, status: Int = 200
    ) throws -> HTTPResponse {
        let offset = upload.result == nil ? service.uploads.received(upload.id) : upload.size
        return try .json(
            UploadDocument(uploadID: upload.id, size: upload.size, offset: offset, result: upload.result),
            status: status)
    }

    private static func described(
        _ request: HTTPRequest, _ project: Project, most: Int64
    ) throws(APIError) -> PartialUpload {
        let label = try UploadLabel(request)
        guard let size = request.query["size"].flatMap({ Int64($0) }), size > 0 else {
            throw APIError(400, "invalid_size", "\"size\" must be the file's size in bytes")
        }
        guard size <= most else { throw FileSink.tooLarge(most) }
        guard let digest = request.query["sha256"]?.lowercased(), digest.utf8.count == 64,
            digest.allSatisfy(\.isHexDigit)
        else { throw APIError(400, "invalid_digest", "\"sha256\" must be the file's SHA-256, 64 hexadecimal digits") }
        return PartialUpload(
            project: project.id, kind: label.kind, size: size, sha256: digest, buildID: label.buildID,
            name: label.name, release: label.release)
    }
}
