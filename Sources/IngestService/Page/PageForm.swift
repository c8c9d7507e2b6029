// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// What the page's forms have in common.
enum PageForm {
    /// Refuses what was not sent by a form of this session's own.
    static func requireOwn(_ request: HTTPRequest) throws(APIError) {
        guard LoginHandlers.isOwn(request, secret: request.cookie(Authenticator.sessionCookie) ?? "") else {
            throw APIError(403, "wrong_form", "the form was too old; load the page again and use its button")
        }
    }

    /// Who a decision is by, where the page is used without an account too.
    static func actor(_ request: HTTPRequest) -> String { request.caller?.userName ?? "page" }

    /// Where a form leads back to: the page that it is on, or the first one where that is the answer to a form.
    static func here(_ request: HTTPRequest) -> String {
        guard request.method == "GET" else { return "/" }
        let query = request.query.sorted { $0.key < $1.key }
            .map { "\(FormCoding.encode($0.key))=\(FormCoding.encode($0.value))" }.joined(separator: "&")
        return request.path + (query.isEmpty ? "" : "?" + query)
    }

    /// As the operator says, or as this reader reaches the server.
    static func address(_ service: Service, _ request: HTTPRequest) -> String {
        let host = request.header("host") ?? ""
        let isHost =
            !host.isEmpty
            && host.utf8.allSatisfy { byte in
                (0x30...0x3a).contains(byte) || (0x61...0x7a).contains(byte | 0x20) || "-.[]".utf8.contains(byte)
            }
        guard service.options.publicURL == nil, isHost else { return service.url }
        return (request.isEncrypted ? "https://" : "http://") + host
    }

    /// Nil where nothing was written.
    static func text(_ value: String?, longest: Int) -> String? {
        guard let value, !value.isEmpty else { return nil }
        return String(value.unicodeScalars.prefix(longest))
    }
}
