// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// A refusal: status, a word for programs, and for people what is wrong and how to mend it.
package struct APIError: Error, Sendable {
    package var status: Int
    package var code: String
    package var message: String
    package var headers: [(name: String, value: String)] = []

    package init(_ status: Int, _ code: String, _ message: String, headers: [(name: String, value: String)] = []) {
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers
    }

    var response: HTTPResponse {
        let body = (try? ModelCoding.encode(ErrorReply(code: code, message: message))) ?? Data()
        return HTTPResponse(
            status: status, contentType: "application/json", body: body,
            headers: [("Cache-Control", "no-store")] + headers)
    }

    static func notFound(_ what: String) -> APIError {
        APIError(404, "not_found", what)
    }

    static func unavailable(_ message: String) -> APIError {
        APIError(503, "unavailable", message, headers: [("Retry-After", "5")])
    }
}
