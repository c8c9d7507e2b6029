// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

/// An answer that no server gave.
struct MadeUpAnswer {
    let response: HTTPURLResponse
    let body: Data

    /// Nil where the fault is none of an answer.
    init?(_ fault: FaultRule.Fault, url: URL) {
        let parts: (status: Int, headers: [String: String], body: [UInt8])
        switch fault {
        case .status(let status): parts = (status, [:], [])
        case .response(let status, let headers, let body): parts = (status, headers, body)
        case .dropBytes(let count, let body):
            parts = (200, ["Content-Length": "\(body.count)"], body.dropLast(max(0, min(count, body.count))))
        case .latency, .error, .closeConnection: return nil
        }
        // Foundation would ask for credentials, which nobody can check.
        let headers = parts.headers.filter { $0.key.lowercased() != "www-authenticate" }
        guard
            let response = HTTPURLResponse(
                url: url, statusCode: parts.status, httpVersion: "HTTP/1.1", headerFields: headers)
        else { return nil }
        self.response = response
        body = Data(parts.body)
    }
}

extension FaultRule.Fault {
    /// Whether it stands in the place of the server's answer.
    var isAnswer: Bool {
        switch self {
        case .status, .response, .dropBytes: true
        case .latency, .error, .closeConnection: false
        }
    }
}

extension FaultRule.ErrorType {
    /// As URLSession tells it.
    var code: URLError.Code {
        switch self {
        case .connectionReset: .networkConnectionLost
        case .timeout: .timedOut
        case .hostUnreachable: .cannotFindHost
        case .connectionRefused: .cannotConnectToHost
        }
    }
}
