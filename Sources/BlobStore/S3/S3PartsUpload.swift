// SPDX-License-Identifier: Apache-2.0

/// A large file, put in parts. Nothing is seen of it before all are there; one that fails leaves no parts behind.
struct S3PartsUpload {
    private static let mostParts: Int64 = 9000

    let client: S3Client
    let object: String
    let descriptor: Int32
    let path: String
    let size: Int64

    func run(partBytes: Int64) throws(BlobError) {
        let begun = try client.perform(S3Request(method: "POST", object: object, query: ["uploads": ""]))
        guard let id = begun.text("UploadId"), !id.isEmpty else {
            throw BlobError(.misplaced, "\(client.location.name) takes no uploads in parts; see that it is an S3 store")
        }
        do throws(BlobError) {
            let bytes = max(partBytes, (size + Self.mostParts - 1) / Self.mostParts)
            var tags: [String] = []
            for start in stride(from: 0, to: size, by: Int64.Stride(bytes)) {
                tags.append(try put(start..<min(size, start + bytes), number: tags.count + 1, id))
            }
            try complete(id, tags)
        } catch {
            // What cannot be told now, removeRemains tells later.
            _ = try? client.perform(S3Request(method: "DELETE", object: object, query: ["uploadId": id]))
            throw error
        }
    }

    /// The part's tag.
    private func put(_ piece: Range<Int64>, number: Int, _ id: String) throws(BlobError) -> String {
        try client.perform(
            S3Request(
                method: "PUT", object: object, query: ["partNumber": "\(number)", "uploadId": id],
                body: .file(descriptor: descriptor, piece: piece, path: path), bytes: Int64(piece.count))
        ).present(object).etag
    }

    private func complete(_ id: String, _ tags: [String]) throws(BlobError) {
        let parts = tags.enumerated().map { index, tag in
            "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(tag.replacing("\"", with: "&quot;"))</ETag></Part>"
        }
        let document = "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>"
        do throws(BlobError) {
            _ = try client.perform(
                S3Request(
                    method: "POST", object: object, query: ["uploadId": id], body: .bytes(Array(document.utf8)),
                    // Stores put the parts together before they answer.
                    bytes: size)
            ).present(object)
        } catch {
            // Told twice, because the first answer was lost, it is done already.
            let answer = try client.perform(S3Request(method: "HEAD", object: object))
            guard answer.status != 404, answer.announcedBytes == size else { throw error }
        }
    }
}
