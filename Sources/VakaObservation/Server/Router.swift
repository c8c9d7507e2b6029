// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// Which route a request takes, who may take it, and what is answered there.
struct Router: Sendable {
    /// A refusal, before the body is read.
    struct Refusal: Error {
        let response: Response
    }

    enum Route {
        case health, snapshot, action, webSnapshot, webAction
        case page(WebViewBridge)
        /// A page's question whether it may post.
        case pagePermission(WebViewBridge)
    }

    private struct SnapshotRequest: Decodable { var webViewId: String? }
    private struct ActionRequest: Decodable {
        var webViewId: String?
        var actionJson: String?
    }

    static let longestBody = 1 << 20
    /// For the host to say what is on its screen.
    static let snapshotPatience = Duration.seconds(10)
    /// For the host to do something, beside the time that it is to take.
    static let actionPatience = Duration.seconds(30)

    let registry: ObservationRegistry
    let webViews: WebViewRegistry
    let token: String
    let program: ObservationHealth.Program

    // MARK: Who may

    func place(_ head: RequestHead, isLoopback: Bool) -> Result<Route, Refusal> {
        if isLoopback, !isLocalHost(head.fields["host"]) {
            return .failure(403, "forbidden", "this is asked by an address of this machine, not by a name")
        }
        let pagePrefix = "/webview/page/"
        if head.path.hasPrefix(pagePrefix) {
            return isLoopback
                ? placePage(head, token: String(head.path.dropFirst(pagePrefix.count)))
                : .failure(404, "not_found", "pages post to the loopback address")
        }
        if isLoopback {
            // Pages have no business here, whatever they know.
            guard head.fields["origin"] == nil else { return .failure(403, "forbidden", "this is not for pages") }
            guard let authorization = head.fields["authorization"],
                RandomToken.isEqual(authorization, "Bearer " + token)
            else { return .failure(401, "unauthorized", "send Authorization: Bearer with the server's token") }
        }
        guard head.contentLength <= Self.longestBody else { return .failure(tooLarge(head.path)) }
        return route(head)
    }

    private func route(_ head: RequestHead) -> Result<Route, Refusal> {
        let routes: [String: (method: String, route: Route)] = [
            "/health": ("GET", .health), "/observation/snapshot": ("POST", .snapshot),
            "/observation/action": ("POST", .action), "/webview/snapshot": ("POST", .webSnapshot),
            "/webview/action": ("POST", .webAction),
        ]
        guard let entry = routes[head.path] else { return .failure(404, "not_found", "there is nothing here") }
        guard head.method == entry.method else {
            return .failure(405, "method_not_allowed", "this takes \(entry.method)")
        }
        return .success(entry.route)
    }

    private func placePage(_ head: RequestHead, token: String) -> Result<Route, Refusal> {
        guard let view = webViews.find(pageToken: token) else {
            return .failure(404, "not_found", "there is no such web view")
        }
        if head.method == "OPTIONS" { return .success(.pagePermission(view)) }
        guard head.method == "POST" else { return .failure(405, "method_not_allowed", "this takes POST") }
        guard head.contentLength <= view.policy.maxMessageBytes else {
            view.refuseLargeMessage(origin: head.fields["origin"])
            return .failure(Refusal(response: page(.failure(.messageTooLarge), view, head)))
        }
        return .success(.page(view))
    }

    private func tooLarge(_ path: String) -> Refusal {
        Refusal(
            response: path.hasPrefix("/webview/")
                ? .failure(.messageTooLarge)
                : .error(413, "bad_request", "the body is longer than \(Self.longestBody) bytes"))
    }

    private func isLocalHost(_ host: String?) -> Bool {
        guard let host else { return false }
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        return ["127.0.0.1", "localhost", "[::1]"].contains(name.lowercased())
    }

    // MARK: What is answered

    func answer(_ route: Route, _ head: RequestHead, body: [UInt8]) -> Response {
        switch route {
        case .health:
            return .json(
                ObservationHealth(
                    program: program, observationBridge: registry.state, webViewBridge: webViews.state))
        case .snapshot:
            let registry = registry
            return wait(Self.snapshotPatience) { () async throws(ObservationFailure) in try await registry.snapshot() }
        case .action: return act(body)
        case .webSnapshot: return webSnapshot(body)
        case .webAction: return webAct(body)
        case .pagePermission(let view): return permission(view, head)
        case .page(let view): return take(view, head, body)
        }
    }

    private func act(_ body: [UInt8]) -> Response {
        guard let request = read(ActionRequest.self, body), let text = request.actionJson else {
            return .error(400, "bad_request", "the body is an object with actionJson, a string")
        }
        let action: ObservationAction
        do {
            action = try ModelCoding.decode(ObservationAction.self, from: Data(text.utf8))
        } catch {
            return .error(400, "bad_request", "actionJson: " + Self.say(error))
        }
        let registry = registry
        return wait(Self.actionPatience + action.duration) { () async throws(ObservationFailure) in
            try await registry.perform(action)
        }
    }

    private func webSnapshot(_ body: [UInt8]) -> Response {
        guard let request = body.isEmpty ? SnapshotRequest() : read(SnapshotRequest.self, body) else {
            return .error(400, "bad_request", "the body is an object, with a webViewId or without")
        }
        do throws(ObservationFailure) {
            return .json(try webViews.snapshot(request.webViewId))
        } catch {
            return .failure(error)
        }
    }

    private func webAct(_ body: [UInt8]) -> Response {
        guard let request = read(ActionRequest.self, body), let view = request.webViewId, let text = request.actionJson
        else { return .error(400, "bad_request", "the body is an object with webViewId and actionJson, both strings") }
        do throws(ObservationFailure) {
            guard body.count <= (try webViews.find(view)).policy.maxMessageBytes else { throw .messageTooLarge }
        } catch {
            return .failure(error)
        }
        let action: WebAction
        do {
            action = try ModelCoding.decode(WebAction.self, from: Data(text.utf8))
        } catch {
            return .error(400, "bad_request", "actionJson: " + Self.say(error))
        }
        let webViews = webViews
        return wait(Self.actionPatience) { () async throws(ObservationFailure) in
            try await webViews.perform(action, in: view)
        }
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ body: [UInt8]) -> Value? {
        try? ModelCoding.decode(type, from: Data(body))
    }

    private func wait<Value: Encodable & Sendable>(
        _ time: Duration, _ work: @escaping @Sendable () async throws(ObservationFailure) -> Value
    ) -> Response {
        let outcome = AsyncWork.wait(atMost: time) { () async -> Result<Value, ObservationFailure> in
            do throws(ObservationFailure) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let value): return .json(value)
        case .failure(let failure): return .failure(failure)
        case nil: return .failure(.badReply)
        }
    }

    private static func say(_ error: any Error) -> String {
        switch error {
        case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
            DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            context.debugDescription
        default: "it is no JSON"
        }
    }
}

extension Result where Success == Router.Route, Failure == Router.Refusal {
    fileprivate static func failure(_ status: Int, _ code: String, _ message: String) -> Self {
        .failure(Router.Refusal(response: .error(status, code, message)))
    }
}
