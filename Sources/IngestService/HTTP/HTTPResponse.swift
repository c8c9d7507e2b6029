// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// An answer.
struct HTTPResponse: Sendable {
    enum Body: Sendable {
        case data(Data)
        /// Sent straight from the file.
        case file(path: String)
    }

    var status: Int
    var headers: [(name: String, value: String)]
    var body: Body

    init(status: Int, contentType: String, body: Data, headers: [(name: String, value: String)] = []) {
        self.status = status
        self.headers = [("Content-Type", contentType), ("X-Content-Type-Options", "nosniff")] + headers
        self.body = .data(body)
    }

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

    static func file(path: String, headers: [(name: String, value: String)]) -> HTTPResponse {
        var response = HTTPResponse(
            status: 200, contentType: "application/octet-stream", body: Data(), headers: headers)
        response.body = .file(path: path)
        return response
    }
}
