// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import VakaModel

/// An answer.
struct HTTPResponse: Sendable {
    enum Body: Sendable {
        case data(Data)
        /// Sent straight from the file: so many bytes from the offset on.
        case file(path: String, offset: UInt64, bytes: UInt64)
    }

    var status: Int
    var headers: [(name: String, value: String)]
    var body: Body
    /// Of a refusal: its word for programs.
    var refusal: String?
    /// What it was about, for the audit log.
    var subject: String?

    init(status: Int, contentType: String, body: Data, headers: [(name: String, value: String)] = []) {
        self.status = status
        self.headers = [("Content-Type", contentType), ("X-Content-Type-Options", "nosniff")] + headers
        self.body = .data(body)
    }

    /// The first of the name, which is written as here.
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    static func json(
        _ value: some Encodable, status: Int = 200, headers: [(name: String, value: String)] = []
    ) throws -> HTTPResponse {
        HTTPResponse(
            status: status, contentType: "application/json", body: try ModelCoding.encode(value),
            headers: [("Cache-Control", "no-store")] + headers)
    }

    static func text(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, contentType: "text/plain; charset=utf-8", body: Data(text.utf8))
    }

    static func redirect(to path: String, headers: [(name: String, value: String)] = []) -> HTTPResponse {
        HTTPResponse(
            status: 303, contentType: "text/plain; charset=utf-8", body: Data("see \(path)\n".utf8),
            headers: [("Location", path), ("Cache-Control", "no-store")] + headers)
    }

    /// Of an answer in memory.
    var content: Data {
        if case .data(let data) = body { data } else { Data() }
    }

    /// As the last answer of a connection, written by hand; of an answer in memory.
    var closingBytes: Data {
        let data = content
        let own = headers.filter { header in !header.value.utf8.contains { $0 < 0x20 } }
        let all = own + [("Content-Length", "\(data.count)"), ("Connection", "close")]
        let head = "HTTP/1.1 \(status) \r\n" + all.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
        return Data(head.utf8) + data
    }

    /// A file, or the part of it that the request asks for (RFC 9110, section 14): one range of bytes, else all of it.
    ///
    /// - Parameter piece: where what is answered lies in the file; nil is all of it.
    static func file(
        path: String, piece: Range<UInt64>? = nil, headers: [(name: String, value: String)], request: HTTPRequest
    ) throws(APIError) -> HTTPResponse {
        guard let whole = FileVersion(path: path).map({ UInt64(max(0, $0.size)) }),
            piece.map({ $0.upperBound <= whole }) ?? true
        else { throw APIError.notFound("the file is gone") }
        let start = piece?.lowerBound ?? 0
        let size = piece.map { UInt64($0.count) } ?? whole
        var response = HTTPResponse(
            status: 200, contentType: "application/octet-stream", body: Data(),
            headers: headers + [("Accept-Ranges", "bytes")])
        // What a condition would be about, a version of the file, is not told.
        let wanted = request.header("if-range") == nil ? request.header("range") : nil
        switch ByteRange.wanted(wanted, of: size) {
        case .all:
            response.body = .file(path: path, offset: start, bytes: size)
        case .part(let range):
            response.status = 206
            response.headers.append(("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"))
            response.body = .file(path: path, offset: start + range.lowerBound, bytes: UInt64(range.count))
        case .none:
            response.status = 416
            response.headers.append(("Content-Range", "bytes */\(size)"))
        }
        return response
    }
}
