import Delivery
import FoundationEssentials
// SPDX-License-Identifier: Apache-2.0
import HTTPClient
import VakaModel

/// Requests to one service with one secret: sent again after 429, 5xx and no answer within the policy's bound, and
/// every other answer that is no success turned into an error.
struct ServiceSession: Sendable {
    let endpoint: ServiceEndpoint
    /// A key (`vk_…`) or a token (`va_…`).
    let secret: String
    let policy: RetryPolicy
    private let client = CurlClient()

    init(endpoint: ServiceEndpoint, secret: String, policy: RetryPolicy) {
        self.endpoint = endpoint
        self.secret = secret
        self.policy = policy
    }

    /// Throws where it cannot stand in a header.
    static func check(secret: String) throws(ServiceError) {
        guard !secret.isEmpty, secret.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw ServiceError(
                .unauthorized, "the key or token is empty or has characters that none has; copy it whole")
        }
    }

    /// The answer of a 2xx. `make` is called for each try, with no more than the time that is left.
    func perform(_ make: () throws(ServiceError) -> HTTPRequest) throws(ServiceError) -> TransportAnswer {
        try Self.check(secret: secret)
        let deadline = policy.timekeeper.uptime + policy.bound
        var backoff = Backoff(first: .seconds(1), longest: .seconds(30))
        while true {
            var asked: Duration?
            let failure: ServiceError
            do {
                var request = try make()
                request.headers["Authorization"] = "Bearer \(secret)"
                let answer = try client.perform(request)
                if (200...299).contains(answer.status) { return answer }
                asked = answer.retryAfter.flatMap { RetryAfter.parse($0, now: policy.timekeeper.time) }
                failure = error(of: answer, request.url)
            } catch {
                failure = error
            }
            let wait = backoff.next(asked: asked)
            guard failure.mayPass, policy.timekeeper.uptime + wait < deadline else { throw failure }
            policy.wait(wait, because: failure.message)
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type, _ answer: TransportAnswer) throws(ServiceError) -> Value {
        do {
            return try ModelCoding.decode(type, from: answer.body)
        } catch {
            throw ServiceError(
                .badAnswer,
                "\(endpoint): the answer (status \(answer.status)) is not what a Vaka service sends; "
                    + "see that the address is that of the service", status: answer.status)
        }
    }

    private func error(of answer: TransportAnswer, _ url: String) -> ServiceError {
        let reply = try? ModelCoding.decode(ErrorReply.self, from: answer.body).error
        let said = reply.map { "\($0.message) (\($0.code))" }
        let (code, standard) = meaning(of: answer.status)
        return ServiceError(
            code, "\(url): \(said ?? standard)", status: answer.status, serverCode: reply?.code)
    }

    private func meaning(of status: Int) -> (ServiceError.Code, String) {
        switch status {
        case 300...399: (.badAnswer, "redirects elsewhere (status \(status)); give the address it redirects to")
        case 401, 403: (.unauthorized, "the key or token was refused (status \(status)); see that it is this service's")
        case 404: (.notFound, "no such route or project; see that the address and the project are right")
        case 413: (.tooLarge, "too large for the service; raise its limit or send less")
        case 408, 425, 429: (.limited, "the service takes no more for now (status \(status)); try again later")
        case 400...499: (.refused, "refused with status \(status)")
        default: (.serverFailed, "the service failed with status \(status); see its log, and try again")
        }
    }
}
