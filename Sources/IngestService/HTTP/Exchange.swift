// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// One request on its way through the server: headers, body, handler, answer.
final class Exchange: @unchecked Sendable {
    // libmicrohttpd calls from one thread at a time; while the connection is suspended only the handler's thread
    // touches the exchange, and suspending and resuming order the two.

    enum Phase {
        case receiving(any BodySink)
        /// The answer is known; the rest of the body is read and dropped, so that the client comes to read it.
        case refused(HTTPResponse, dropped: Int)
        /// The answer was given while the body arrived; the connection ends with it.
        case told(dropped: Int)
        case handling
        case answered(HTTPResponse)
        case sent
    }

    var request: HTTPRequest
    let route: Route?
    /// Also of a request that was refused.
    let kind: RouteClass
    var phase: Phase
    let startedAt = ContinuousClock.now
    private var received: Int64 = 0
    private let sink: (any BodySink)?

    /// A body that arrives slower than this, after the first minute, is no longer waited for.
    private static let slowest: Int64 = 1024

    init(request: HTTPRequest, route: Route?, kind: RouteClass, phase: Phase) {
        self.request = request
        self.route = route
        self.kind = kind
        self.phase = phase
        if case .receiving(let sink) = phase { self.sink = sink } else { sink = nil }
    }

    /// Takes a piece of the body; false to cut the connection.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        received += Int64(bytes.count)
        let seconds = (ContinuousClock.now - startedAt).components.seconds
        if seconds > 60, received / seconds < Self.slowest { return false }
        switch phase {
        case .receiving(let sink):
            do {
                try sink.write(bytes)
            } catch {
                sink.discard()
                phase = .refused(error.response, dropped: 0)
            }
            return true
        case .refused(let response, let dropped):
            phase = .refused(response, dropped: dropped + bytes.count)
            return true
        case .told(let dropped):
            phase = .told(dropped: dropped + bytes.count)
            return dropped < FrontDoor.mostDropped
        case .handling, .answered, .sent:
            return true
        }
    }

    /// A body that goes on and on is not read to its end to be refused.
    var refusalToTellNow: HTTPResponse? {
        guard case .refused(let response, let dropped) = phase, dropped > FrontDoor.mostUnanswered else { return nil }
        return response
    }

    /// Answers a small body whose handler need not wait; false where that cannot be.
    func answerAtOnce(in service: Service, then tell: @escaping @Sendable (HTTPResponse) -> Void) -> Bool {
        guard let lateHandler = route?.lateHandler, let body = sink?.small() else { return false }
        request.body = body
        do {
            return try lateHandler(service, request, false, tell)
        } catch {
            tell(refusal(error, service))
            return true
        }
    }

    /// Finishes the body and runs the handler, on a thread that may wait.
    func answer(in service: Service, then tell: @escaping @Sendable (HTTPResponse) -> Void) {
        do {
            guard let route else { throw APIError.notFound("there is nothing at this address") }
            if case .none = request.body, let sink { request.body = try sink.finish() }
            if let lateHandler = route.lateHandler {
                _ = try lateHandler(service, request, true, tell)
                return
            }
            let response = try route.handler(service, request)
            try service.audit(route, request, response)
            if request.method != "GET" { service.settings.forget() }
            tell(AnswerCompression.applied(to: response, for: request))
        } catch {
            tell(refusal(error, service))
        }
    }

    private func refusal(_ error: any Error, _ service: Service) -> HTTPResponse {
        ErrorPage.shown(answer(to: error, service), for: request)
    }

    private func answer(to error: any Error, _ service: Service) -> HTTPResponse {
        if let error = error as? APIError { return error.response }
        guard let failure = error as? StoreError else {
            tellFailure(error, service)
            return APIError(500, "internal", "the server failed at this request; its log says why").response
        }
        if failure.code != .exists { tellFailure(failure, service) }
        return APIError.store(failure).response
    }

    /// By the route's pattern: a path may be a secret.
    private func tellFailure(_ error: any Error, _ service: Service) {
        let pattern = route?.pattern ?? ""
        service.log.error(
            "request_failed", "\(request.method) \(pattern) failed: \(error)",
            ["method": .string(request.method), "route": .string(pattern), "reason": .string("\(error)")])
    }

    /// Counts the answer that is given now.
    func count(_ response: HTTPResponse, _ metrics: Metrics) {
        metrics.count(response, to: kind, seconds: (ContinuousClock.now - startedAt) / .seconds(1))
    }

    /// Removes what no handler took.
    func clean() {
        sink?.discard()
    }
}
