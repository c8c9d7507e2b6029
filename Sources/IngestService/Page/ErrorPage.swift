// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// A refusal as a person in a browser reads it; programs get it as JSON.
enum ErrorPage {
    /// The answer, or a page in its place where a browser asks for one.
    static func shown(_ response: HTTPResponse, for request: HTTPRequest) -> HTTPResponse {
        guard response.refusal != nil, response.status >= 400, !request.path.hasPrefix("/api/"),
            case .data(let body) = response.body,
            request.header("accept")?.contains("text/html") == true,
            let reply = try? ModelCoding.decode(ErrorReply.self, from: body)
        else { return response }
        let kept = response.headers.filter {
            !["Content-Type", "X-Content-Type-Options", "Cache-Control"].contains($0.name)
        }
        var page = WebPage(
            request, title: title(response.status),
            content: [
                tag("h1", [], .text(title(response.status))), tag("p", [], .text(sentence(reply.error.message))),
                tag("p", [], tag("a", [.href("/")], "To the issues")),
            ]
        ).response(status: response.status, headers: kept)
        page.refusal = response.refusal
        return page
    }

    private static func title(_ status: Int) -> String {
        switch status {
        case 403: "Not allowed"
        case 404: "Not found"
        case 409: "Not possible as it is now"
        case 429: "Not possible now"
        case 400..<500: "Not understood"
        default: "Not possible now"
        }
    }

    private static func sentence(_ message: String) -> String {
        message.prefix(1).uppercased() + message.dropFirst() + (message.hasSuffix(".") ? "" : ".")
    }
}
