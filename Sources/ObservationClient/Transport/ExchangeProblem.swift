// SPDX-License-Identifier: Apache-2.0

/// Why a request got no answer.
enum ExchangeProblem: Error {
    /// Nothing listens there, or not what may: nothing was sent.
    case unreachable(String)
    /// It was sent, and what came is no answer.
    case noAnswer(String)
    /// It was sent, and no answer came in time.
    case outOfTime

    var message: String {
        switch self {
        case .unreachable(let what), .noAnswer(let what): what
        case .outOfTime: "no answer came in time"
        }
    }
}
