// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
public import VakaModel

/// Records what goes over a WebSocket connection: its opening, each message, and its end, under one id.
///
/// Use `send` and `receive` in the place of the transport's own, so that rules are enforced; or forward to `recordFrame`, which
/// changes nothing. Any thread may call it; it holds nothing of the connection.
public struct WebSocketNetworkCaptureAdapter: Sendable {
    private let capture: NetworkCapture

    init(_ capture: NetworkCapture) {
        self.capture = capture
    }

    private var recorder: NetworkCaptureRecorder { capture.recorder }

    // MARK: The connection

    /// It is open. `status` and `headers` are those of the handshake's answer.
    public func didOpen(
        _ url: String, connectionId: String, status: Int? = 101, headers: [String: String] = [:],
        subprotocol: String? = nil
    ) {
        recorder.startAnew(connectionId, Self.facts(connectionId, url))
        recorder.didReceiveResponse(connectionId, AnswerFacts(statusCode: status, headers: headers))
        if let subprotocol { recorder.note(connectionId, ["subprotocol": .string(subprotocol)]) }
    }

    /// It was closed; what comes for it afterwards is dropped.
    public func didClose(connectionId: String, code: Int? = nil) {
        if let code { recorder.note(connectionId, ["close_code": .integer(Int64(code))]) }
        recorder.didComplete(connectionId)
    }

    /// It broke.
    public func didFail(connectionId: String, error: any Error) {
        recorder.didFail(connectionId, error: ErrorText.of(error))
    }

    /// The program gave it up.
    public func didCancel(connectionId: String) { recorder.didCancel(connectionId) }

    // MARK: Messages, by the adapter

    /// Sends by the transport, unless a rule has it wait or fail: then the connection is closed or reset, and the completion
    /// is told that it is lost.
    public func send(
        _ message: WebSocketMessage, on transport: any WebSocketTransport, connectionId: String,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        begin(connectionId, transport.address)
        let fault = decide(.send, transport.address)
        let story = recorder.story(of: connectionId)
        let go: @Sendable () -> Void = { [self] in
            if let error = fail(fault, transport, connectionId, story) { return completionHandler(error) }
            transport.send(message) { error in
                record(message, .send, connectionId, story, fault, error)
                completionHandler(error)
            }
        }
        after(fault, go)
    }

    /// Receives by the transport; as `send` for the rest.
    public func receive(
        on transport: any WebSocketTransport, connectionId: String,
        completionHandler: @escaping @Sendable (Result<WebSocketMessage, any Error>) -> Void
    ) {
        begin(connectionId, transport.address)
        let fault = decide(.receive, transport.address)
        let story = recorder.story(of: connectionId)
        let go: @Sendable () -> Void = { [self] in
            if let error = fail(fault, transport, connectionId, story) { return completionHandler(.failure(error)) }
            transport.receive { result in
                if case .success(let message) = result {
                    record(message, .receive, connectionId, story, fault, nil)
                }
                completionHandler(result)
            }
        }
        after(fault, go)
    }

    // MARK: Messages, by the program

    /// A message went by. Changes nothing.
    public func recordFrame(_ message: WebSocketMessage, direction: NetworkDirection, connectionId: String) {
        record(message, direction, connectionId, recorder.story(of: connectionId), nil, nil)
    }

    /// What a rule wants of the next message: the program must do it, and nothing is done here.
    public func evaluateFault(_ url: String, direction: NetworkDirection) -> FaultDecision? {
        decide(direction, url)
    }

    // MARK: The one place for each

    private func begin(_ id: String, _ url: String) {
        recorder.start(id, Self.facts(id, url), isConnection: true)
    }

    private static func facts(_ id: String, _ url: String) -> ExchangeFacts {
        var facts = ExchangeFacts(url: url, method: "OPEN")
        facts.protocolName = "websocket"
        facts.connectionID = id
        return facts
    }

    private func decide(_ direction: NetworkDirection, _ url: String) -> FaultDecision? {
        capture.context.decide(
            FaultSubject(.webSocket, method: direction.rawValue, url: url, direction: direction))
    }

    /// At once, on the caller's thread, unless a rule has it wait.
    private func after(_ fault: FaultDecision?, _ go: @escaping @Sendable () -> Void) {
        if let fault, fault.isApplied, fault.delay > .zero { Later.run(after: fault.delay, go) } else { go() }
    }

    /// The error, where the rule is to break the connection.
    /// One that has ended meanwhile, its id now another's perhaps, is left to its transport.
    private func fail(
        _ fault: FaultDecision?, _ transport: any WebSocketTransport, _ id: String, _ story: String?
    ) -> URLError? {
        guard let fault, fault.isApplied, fault.fault != .latency, story == recorder.story(of: id) else { return nil }
        recorder.note(id, fault.metadata)
        recorder.didFail(id, error: fault.errorText)
        if fault.fault == .error(.connectionReset) {
            transport.reset()
        } else {
            transport.close(code: 1001, reason: nil)
        }
        return URLError(.networkConnectionLost)
    }

    private func record(
        _ message: WebSocketMessage, _ direction: NetworkDirection, _ id: String, _ story: String?,
        _ fault: FaultDecision?, _ error: (any Error)?
    ) {
        // The connection that the id names may be another by now.
        guard story == recorder.story(of: id) else { return }
        var metadata = fault?.metadata ?? [:]
        if case .text = message { metadata["opcode"] = "text" } else { metadata["opcode"] = "binary" }
        recorder.recordFrame(
            id, direction, size: message.size, body: { message.bytes }, metadata: metadata,
            error: error.map(ErrorText.of))
    }
}

extension NetworkCapture {
    /// An adapter for connections of any client that is a `WebSocketTransport`. Each call gives another one.
    public func registerWebSocket() -> WebSocketNetworkCaptureAdapter {
        register(.webSocket)
        return WebSocketNetworkCaptureAdapter(self)
    }
}
