// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

extension ObservationClient {
    private struct ErrorDocument: Decodable {
        struct Fault: Decodable {
            var code: String
            var message: String
        }
        var error: Fault
    }

    /// Nothing is sent where there is no bridge.
    func requireBridge(until deadline: ContinuousClock.Instant) throws(ObservationRequestError) {
        switch try probe(until: deadline)?.bridge ?? .unavailable(.sdkUnavailable) {
        case .available: return
        case .unavailable(let reason): throw ObservationRequestError(.bridgeUnavailable, reason.rawValue)
        }
    }

    func requireWebView(
        _ webViewId: String?, until deadline: ContinuousClock.Instant
    ) throws(ObservationRequestError) {
        let views = try probe(until: deadline)?.webViews ?? []
        guard views.contains(where: { webViewId == nil || $0.webViewId == webViewId }) else {
            throw ObservationRequestError(.bridgeUnavailable, "the program has registered no such web view")
        }
    }

    private func probe(until deadline: ContinuousClock.Instant) throws(ObservationRequestError) -> HealthReading? {
        do throws(BridgeQueryError) {
            return try health(within: deadline - ContinuousClock.now)
        } catch {
            throw ObservationRequestError(.badReply, error.description)
        }
    }

    func ask<Value: Decodable>(
        _ path: String, body: [UInt8], until deadline: ContinuousClock.Instant
    ) throws(ObservationRequestError) -> Value {
        let left = deadline - ContinuousClock.now
        // Nobody would hear what came of it.
        guard left > .zero else { throw ObservationRequestError(.badReply, "the probe took all the time there was") }
        let reply: Reply
        do throws(ExchangeProblem) {
            reply = try exchange.send("POST", path, body: body, within: left)
        } catch .unreachable(let message) {
            throw ObservationRequestError(.bridgeUnavailable, message)
        } catch {
            throw ObservationRequestError(.badReply, error.message)
        }
        guard reply.status == 200 else { throw Self.failure(reply) }
        guard let value = try? ModelCoding.decode(Value.self, from: Data(reply.body)) else {
            throw ObservationRequestError(.badReply, "the answer is not as agreed")
        }
        return value
    }

    private static func failure(_ reply: Reply) -> ObservationRequestError {
        guard let fault = try? ModelCoding.decode(ErrorDocument.self, from: Data(reply.body)).error else {
            return ObservationRequestError(.badReply, say(reply))
        }
        let known: Set<ObservationFailure> = [
            .bridgeUnavailable, .appNotActive, .disallowedOrigin, .webProcessUnavailable, .messageTooLarge, .noSnapshot,
        ]
        let failure = ObservationFailure(rawValue: fault.code)
        if known.contains(failure) { return ObservationRequestError(failure, fault.message) }
        return ObservationRequestError(fault.code == "bad_request" ? .invalidAction : .badReply, fault.message)
    }

    static func say(_ reply: Reply) -> String {
        let fault = try? ModelCoding.decode(ErrorDocument.self, from: Data(reply.body)).error
        return fault.map { "\($0.code): \($0.message)" } ?? "status \(reply.status)"
    }

    static func actionBody(_ action: some Encodable, in webViewId: String?) throws(ObservationRequestError) -> [UInt8] {
        var body = ["actionJson": String(decoding: try encode(action), as: UTF8.self)]
        body["webViewId"] = webViewId
        return try encode(body)
    }

    static func encode(_ value: some Encodable) throws(ObservationRequestError) -> [UInt8] {
        do {
            return Array(try ModelCoding.encode(value))
        } catch {
            throw ObservationRequestError(.invalidAction, "it cannot be written: \(error)")
        }
    }

    static func read<Action: Decodable>(_ type: Action.Type, _ text: String) throws(ObservationRequestError) -> Action {
        guard let action = try? ModelCoding.decode(type, from: Data(text.utf8)) else {
            throw ObservationRequestError(.invalidAction, "this is no action: \(text.prefix(80))")
        }
        return action
    }
}
