// SPDX-License-Identifier: Apache-2.0
import CCurl
import Glibc

/// Sends requests to one bucket, signed by libcurl, again where that may help. Thread-safe; blocks, within bounds.
struct S3Client: Sendable {
    /// Seconds before each further try.
    private static let pauses = [0.2, 0.7, 1.6]
    private static let longestAnswer = 4 << 20
    private static let connectMilliseconds = 5000
    private static let stallSeconds = 15
    private static let stallBytes = 1 << 10
    /// Seconds for a request without what its bytes need, and the fewest bytes a second that are waited for.
    private static let usualSeconds: Int64 = 20
    private static let slowest: Int64 = 64 << 10

    let location: S3Location
    let credentials: S3Credentials

    /// The answer of a success, and where it says that a blob is not there or has changed. Throws everything else.
    func perform(_ request: S3Request) throws(BlobError) -> S3Answer {
        let digest = try digest(request)
        var pauses = Self.pauses[...]
        while true {
            do {
                return try once(request, digest)
            } catch {
                guard error.code == .away, let pause = pauses.popFirst() else { throw error }
                usleep(UInt32(pause * Double.random(in: 0.7...1.3) * 1e6))
                try rewind(request)
            }
        }
    }

    private func digest(_ request: S3Request) throws(BlobError) -> String {
        switch request.body {
        case .none: return FileDigest.sha256([])
        case .bytes(let bytes): return FileDigest.sha256(bytes)
        case .file(let descriptor, let piece, let path):
            try rewind(request)
            return try FileDigest.sha256(descriptor, piece, path)
        }
    }

    private func rewind(_ request: S3Request) throws(BlobError) {
        if case .file(let descriptor, let piece, let path) = request.body {
            guard lseek(descriptor, off_t(piece.lowerBound), SEEK_SET) >= 0 else {
                throw .system("cannot read \(path)")
            }
        }
        if let target = request.target {
            guard ftruncate(target, 0) == 0, lseek(target, 0, SEEK_SET) == 0 else {
                throw .system("cannot write what comes from \(location.name)")
            }
        }
    }

    private func once(_ request: S3Request, _ digest: String) throws(BlobError) -> S3Answer {
        var response = vaka_http_response()
        let result = send(request, digest, &response)
        defer { vaka_http_response_deinit(&response) }
        guard result == VAKA_HTTP_ANSWERED else {
            throw S3Failure.of(result, Self.text(&response.error), location)
        }
        let body = response.body.map { start in
            String(decoding: UnsafeRawBufferPointer(start: start, count: response.body_bytes), as: UTF8.self)
        }
        let answer = S3Answer(
            status: response.status, body: body ?? "", etag: Self.text(&response.etag),
            announcedBytes: response.announced_bytes)
        if let failure = S3Failure.of(answer, location) { throw failure }
        return answer
    }

    private func send(
        _ request: S3Request, _ digest: String, _ response: inout vaka_http_response
    ) -> vaka_http_result {
        var texts = request.headers + ["x-amz-content-sha256: \(digest)"]
        // Else libcurl calls a body a form.
        if request.method == "POST" { texts.append("Content-Type: application/xml") }
        if let token = credentials.sessionToken { texts.append("x-amz-security-token: \(token)") }
        let query = request.queryText
        texts += [
            request.method, location.url(request.object) + (query.isEmpty ? "" : "?" + query),
            "aws:amz:\(location.region):s3", credentials.keyID, credentials.secret,
        ]
        let copies = texts.map { UnsafePointer(strdup($0)!) }
        defer { copies.forEach { free(UnsafeMutablePointer(mutating: $0)) } }
        let rest = copies.suffix(5).map { $0 }
        var signature = vaka_http_signature(provider: rest[2], key_id: rest[3], secret: rest[4])
        return copies.map { Optional($0) }.withUnsafeBufferPointer { headers in
            withUnsafePointer(to: &signature) { signature in
                withBody(request) { body, file, bytes in
                    var raw = vaka_http_request(
                        method: rest[0], url: rest[1], headers: headers.baseAddress, header_count: copies.count - 5,
                        body: body, body_file: file, body_bytes: bytes, connect_timeout_ms: Self.connectMilliseconds,
                        timeout_ms: Int((Self.usualSeconds + request.bytes / Self.slowest) * 1000),
                        stall_seconds: Self.stallSeconds, stall_bytes_per_second: Self.stallBytes,
                        response_limit: Self.longestAnswer, save_answer: request.target == nil ? 0 : 1,
                        answer_file: request.target ?? -1, answer_limit: .max, most_redirects: 0, proxy: nil,
                        ca_file: nil, signature: signature, resolve: nil, progress: nil, unwanted: nil, received: nil,
                        context: nil)
                    return vaka_http_perform(&raw, &response)
                }
            }
        }
    }

    private func withBody(
        _ request: S3Request, _ use: (UnsafeRawPointer?, Int32, UInt64) -> vaka_http_result
    ) -> vaka_http_result {
        switch request.body {
        case .file(let descriptor, let piece, _): use(nil, descriptor, UInt64(piece.count))
        case .none: withUnsafeBytes(of: UInt8(0)) { use($0.baseAddress, -1, 0) }
        case .bytes(let bytes):
            (bytes + [0]).withUnsafeBytes { use($0.baseAddress, -1, UInt64(bytes.count)) }
        }
    }

    private static func text<Characters>(_ characters: inout Characters) -> String {
        withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
