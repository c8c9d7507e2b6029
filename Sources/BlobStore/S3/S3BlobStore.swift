// SPDX-License-Identifier: Apache-2.0
import Glibc
package import VakaModel

/// Blobs in a bucket of an S3-compatible store.
package struct S3BlobStore: BlobStore {
    let client: S3Client
    /// From this size on, files are put in parts.
    let partBytes: Int64

    private static let pageSize = 1000

    package init(_ location: S3Location, _ credentials: S3Credentials, partBytes: Int64 = 32 << 20) {
        client = S3Client(location: location, credentials: credentials)
        self.partBytes = partBytes
    }

    package var name: String { client.location.name }

    package func put(file path: String, at key: String) throws(BlobError) {
        let object = try object(key)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw .system("cannot read \(path)") }
        defer { close(descriptor) }
        let size = Int64(status.st_size)
        guard size <= partBytes else {
            return try S3PartsUpload(client: client, object: object, descriptor: descriptor, path: path, size: size)
                .run(partBytes: partBytes)
        }
        _ = try client.perform(
            S3Request(
                method: "PUT", object: object,
                body: .file(descriptor: descriptor, piece: 0..<size, path: path), bytes: size)
        ).present(object)
    }

    package func put(
        _ bytes: [UInt8], at key: String, if condition: BlobCondition
    ) throws(BlobError) -> BlobVersion {
        let object = try object(key)
        var request = S3Request(
            method: "PUT", object: object, body: .bytes(bytes), bytes: Int64(bytes.count))
        switch condition {
        case .always: break
        case .absent: request.headers.append("If-None-Match: *")
        case .unchanged(let version): request.headers.append("If-Match: \(version.text)")
        }
        let answer = try client.perform(request)
        // With If-Match, what is not there any more was changed.
        guard answer.status != 404 else { throw BlobError(.changed, "\(object) is gone from \(name)") }
        return BlobVersion(text: answer.etag)
    }

    package func fetch(_ key: String, to path: String) throws(BlobError) -> String {
        let object = try object(key)
        let size = try size(key)
        guard let size else { throw Self.absent(object, name) }
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .system("cannot make \(path)") }
        defer { close(descriptor) }
        do throws(BlobError) {
            let answer = try client.perform(
                S3Request(method: "GET", object: object, target: descriptor, bytes: size))
            guard answer.status != 404 else { throw Self.absent(object, name) }
            guard fsync(descriptor) == 0 else { throw BlobError.system("cannot write \(path)") }
            return try FileDigest.sha256(descriptor, 0..<Int64.max, path)
        } catch {
            unlink(path)
            throw error
        }
    }

    package func read(_ key: String) throws(BlobError) -> (bytes: [UInt8], version: BlobVersion)? {
        let answer = try client.perform(S3Request(method: "GET", object: try object(key)))
        return answer.status == 404 ? nil : (Array(answer.body.utf8), BlobVersion(text: answer.etag))
    }

    package func size(_ key: String) throws(BlobError) -> Int64? {
        let answer = try client.perform(S3Request(method: "HEAD", object: try object(key)))
        return answer.status == 404 ? nil : max(0, answer.announcedBytes)
    }

    package func remove(_ key: String) throws(BlobError) {
        _ = try client.perform(S3Request(method: "DELETE", object: try object(key)))
    }

    package func list(_ prefix: String, after: String?) throws(BlobError) -> BlobPage {
        let root = client.location.object("")
        var query = ["list-type": "2", "max-keys": "\(Self.pageSize)", "prefix": root + prefix]
        if let after { query["start-after"] = root + after }
        let answer = try client.perform(S3Request(method: "GET", query: query)).present(client.location.bucket)
        let objects = answer.elements("Contents").map { element in
            (
                key: S3Answer.text("Key", in: element) ?? "",
                size: S3Answer.text("Size", in: element).flatMap { Int64($0) } ?? 0,
                time: S3Answer.text("LastModified", in: element).flatMap { Timestamp(rfc3339: $0) }
            )
        }
        let blobs = objects.filter { $0.key.hasPrefix(root) }.map { object in
            BlobPage.Blob(
                key: String(object.key.dropFirst(root.count)), size: object.size,
                modified: object.time ?? Timestamp(milliseconds: 0))
        }
        return BlobPage(blobs: blobs, next: answer.text("IsTruncated") == "true" ? blobs.last?.key : nil)
    }

    package func removeRemains(before time: Timestamp) throws(BlobError) -> Int {
        let query = ["uploads": "", "prefix": client.location.object("")]
        let answer = try client.perform(S3Request(method: "GET", query: query)).present(client.location.bucket)
        var removed = 0
        for upload in answer.elements("Upload") {
            guard let object = S3Answer.text("Key", in: upload), let id = S3Answer.text("UploadId", in: upload),
                let begun = S3Answer.text("Initiated", in: upload).flatMap({ Timestamp(rfc3339: $0) }),
                begun.milliseconds < time.milliseconds, BlobKey.isRight(object)
            else { continue }
            _ = try client.perform(S3Request(method: "DELETE", object: object, query: ["uploadId": id]))
            removed += 1
        }
        return removed
    }

    private func object(_ key: String) throws(BlobError) -> String {
        guard BlobKey.isRight(key) else { throw BlobError(.local, "\"\(key)\" is no key of a blob") }
        return client.location.object(key)
    }

    private static func absent(_ object: String, _ name: String) -> BlobError {
        BlobError(.absent, "there is no \(object) in \(name)")
    }
}

extension S3Answer {
    /// Itself, where the answer is not that there is nothing.
    func present(_ object: String) throws(BlobError) -> S3Answer {
        guard status != 404 else {
            throw BlobError(
                .misplaced, "the store answers that \(object) is not there; see that --s3-endpoint is right")
        }
        return self
    }
}
