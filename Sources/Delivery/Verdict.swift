// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What a service's answer to a batch means for the batch.
package enum Verdict: Hashable, Sendable {
    /// 2xx: it is the service's now. Nil where the body was not the usual reply.
    case accepted(IngestReply?)
    /// 401, 403: the key is wrong or was revoked; no batch will fare better.
    case unauthorized(String)
    /// 413: it may do in parts.
    case tooLarge
    /// Any other 4xx: it will never be accepted.
    case refused(status: Int, why: String)
    /// 429, 5xx and what else may pass (408, 425, a proxy's 407, a redirect): the same batch later. `asked` is
    /// `Retry-After`.
    case later(asked: Duration?, why: String)

    package init(_ answer: TransportAnswer, now: Timestamp) {
        let error = try? ModelCoding.decode(ErrorReply.self, from: answer.body).error
        let why = error.map { "\(answer.status) \($0.code): \($0.message)" } ?? "status \(answer.status)"
        switch answer.status {
        case 200...299: self = .accepted(try? ModelCoding.decode(IngestReply.self, from: answer.body))
        case 401, 403: self = .unauthorized(why)
        case 413: self = .tooLarge
        case 407, 408, 425, 429: self = .later(asked: Self.asked(answer, now), why: why)
        case 400...499: self = .refused(status: answer.status, why: why)
        default: self = .later(asked: Self.asked(answer, now), why: why)
        }
    }

    private static func asked(_ answer: TransportAnswer, _ now: Timestamp) -> Duration? {
        answer.retryAfter.flatMap { RetryAfter.parse($0, now: now) }
    }
}
