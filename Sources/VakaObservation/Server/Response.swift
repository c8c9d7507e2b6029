// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// What a request is answered with. The connection ends with it.
struct Response: Sendable {
    private struct Document: Encodable {
        struct Fault: Encodable {
            var code: String
            var message: String
        }
        var error: Fault
    }

    var status: Int
    var body: [UInt8] = []
    var fields: [String] = []

    static func json(_ value: some Encodable) -> Response {
        guard let data = try? ModelCoding.encode(value) else { return .error(500, "internal", "it cannot be written") }
        return Response(status: 200, body: Array(data))
    }

    static func error(_ status: Int, _ code: String, _ message: String) -> Response {
        let body = (try? ModelCoding.encode(Document(error: Document.Fault(code: code, message: message)))) ?? Data()
        return Response(status: status, body: Array(body))
    }

    static func failure(_ failure: ObservationFailure) -> Response {
        switch failure {
        case .bridgeUnavailable: .error(503, failure.rawValue, "the program has registered no bridge of this kind")
        case .appNotActive: .error(409, failure.rawValue, "the program is not in the foreground")
        case .messageTooLarge: .error(413, failure.rawValue, "it is longer than the web view's policy lets it be")
        case .badReply: .error(504, failure.rawValue, "the host did not answer in time; an action may have been done")
        case .disallowedOrigin: .error(409, failure.rawValue, "the page's origin is not among the allowed ones")
        case .webProcessUnavailable: .error(409, failure.rawValue, "the page's process ended; load the page again")
        case .noSnapshot: .error(409, failure.rawValue, "the document has not posted a snapshot yet")
        default: .error(500, failure.rawValue, "it came to nothing")
        }
    }

    /// As it goes over the wire.
    var bytes: [UInt8] {
        let lines =
            ["HTTP/1.1 \(status) \(Self.names[status] ?? "Status")", "Content-Length: \(body.count)"]
            + (body.isEmpty ? [] : ["Content-Type: application/json"])
            + ["Connection: close", "Cache-Control: no-store", "X-Content-Type-Options: nosniff"] + fields
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    private static let names = [
        200: "OK", 204: "No Content", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 410: "Gone", 413: "Content Too Large",
        431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
        503: "Service Unavailable", 504: "Gateway Timeout",
    ]
}
