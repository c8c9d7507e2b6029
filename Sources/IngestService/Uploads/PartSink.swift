// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Appends a body to an upload. What came before a connection broke stays: the sender goes on behind it.
final class PartSink: BodySink {
    private let file: PartFile
    private let size: Int64
    private var isEmpty = true

    /// For `request`, by its headers and address alone.
    init(_ folder: UploadFolder, _ request: HTTPRequest) throws(APIError) {
        let id = request.parameters["id"] ?? ""
        guard let project = request.project, let upload = folder.upload(id, project: project.id), upload.result == nil
        else { throw UploadHandlers.notFound(id) }
        guard let offset = request.query["offset"].flatMap({ Int64($0) }) else {
            throw APIError(400, "invalid_offset", "\"offset\" must be the number of bytes that are there already")
        }
        let file = try PartFile(folder.part(id))
        guard offset == file.size else {
            throw APIError(
                409, "wrong_offset",
                "\(file.size) bytes are there, not \(offset); go on from there (GET …/uploads/\(id))")
        }
        if let length = request.contentLength, length > upload.size - offset { throw Self.tooLong(upload.size) }
        self.file = file
        size = upload.size
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(APIError) {
        guard Int64(bytes.count) <= size - file.size else { throw Self.tooLong(size) }
        try file.append(bytes)
        isEmpty = false
    }

    func finish() throws(APIError) -> HTTPRequest.Body {
        defer { file.closeFile() }
        guard !isEmpty else {
            throw APIError(400, "empty_body", "the next bytes of the file must be the request's body")
        }
        try file.sync()
        return .none
    }

    func discard() {
        file.closeFile()
    }

    private static func tooLong(_ size: Int64) -> APIError {
        APIError(413, "too_large", "the upload was said to have \(size) bytes, and this would be more; begin a new one")
    }
}
