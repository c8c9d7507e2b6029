// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Answers in gzip, for clients that take it (RFC 9110, sections 8.4 and 12.5.3). By whoever made the answer, not by the threads that
/// send.
enum AnswerCompression {
    /// In less there is nothing to save.
    private static let least = 1024
    /// More would hold a thread too long.
    private static let most = 64 << 20
    private static let types: Set<Substring> = [
        "text/html", "text/css", "text/plain", "text/javascript", "application/json",
    ]

    /// Pages are of a size that varies at random: who makes somebody's browser ask for pages that hold a guess, and sees
    /// how many bytes come, learns little of what else they hold (see docs/threat-model.md).
    private static let mostPadding = 64

    static func applied(to response: HTTPResponse, for request: HTTPRequest) -> HTTPResponse {
        guard case .data(let data) = response.body, data.count >= least, data.count <= most,
            let type = response.header("Content-Type")?.prefix(while: { $0 != ";" }), types.contains(type)
        else { return response }
        var answer = response
        answer.headers.append(("Vary", "Accept-Encoding"))
        guard takesGzip(request.header("accept-encoding")),
            let packed = Gzip.deflated(data, padding: Int.random(in: 0...mostPadding))
        else { return answer }
        answer.headers.append(("Content-Encoding", "gzip"))
        answer.body = .data(packed)
        return answer
    }

    /// Named, and not with a weight of zero.
    static func takesGzip(_ header: String?) -> Bool {
        (header ?? "").lowercased().split(separator: ",").contains { entry in
            let parts = entry.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard parts.first == "gzip" || parts.first == "x-gzip" else { return false }
            guard let weight = parts.dropFirst().first(where: { $0.hasPrefix("q=") }) else { return true }
            return (Double(weight.dropFirst(2)) ?? 0) > 0
        }
    }
}
