// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension Router {
    /// A page's script waits for something to do for 20 seconds.
    private static let pollPatience = Duration.seconds(30)

    func take(_ view: WebViewBridge, _ head: RequestHead, _ body: [UInt8]) -> Response {
        let origin = head.fields["origin"]
        guard let reply = AsyncWork.wait(atMost: Self.pollPatience, { await view.receive(body, origin: origin) }) else {
            return Response(status: 204)
        }
        switch reply {
        case .taken: return page(Response(status: 204), view, head)
        case .command(let bytes): return page(Response(status: 200, body: bytes), view, head)
        case .refused: return page(.error(400, "bad_request", "this is no message of a page's main frame"), view, head)
        case .disallowedOrigin:
            return .error(403, "disallowed_origin", "the page's origin is not among the allowed ones")
        case .tooLarge: return page(.failure(.messageTooLarge), view, head)
        case .gone: return page(.error(410, "gone", "the document was left, or the web view is gone"), view, head)
        }
    }

    func permission(_ view: WebViewBridge, _ head: RequestHead) -> Response {
        guard let origin = head.fields["origin"], view.policy.allows(origin) else {
            return .error(403, "disallowed_origin", "the page's origin is not among the allowed ones")
        }
        var response = page(Response(status: 204), view, head)
        response.fields += [
            "Access-Control-Allow-Methods: POST", "Access-Control-Allow-Headers: content-type",
            "Access-Control-Allow-Private-Network: true",
        ]
        return response
    }

    /// Lets the script of an allowed page read the answer.
    func page(_ response: Response, _ view: WebViewBridge, _ head: RequestHead) -> Response {
        guard let origin = head.fields["origin"], view.policy.allows(origin) else { return response }
        var response = response
        response.fields += ["Access-Control-Allow-Origin: " + origin, "Vary: Origin"]
        return response
    }
}
