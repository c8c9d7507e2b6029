// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

extension ExchangeFacts {
    init(_ request: URLRequest, _ kind: TaskKind? = nil) {
        self.init(
            url: request.url?.absoluteString ?? "", method: request.httpMethod ?? "GET",
            headers: request.allHTTPHeaderFields ?? [:])
        if let kind { metadata[TaskKind.name] = .string(kind.rawValue) }
        if let body = request.httpBody {
            bodySize = Int64(body.count)
            // Shared with the request: not copied unless it is kept.
            self.body = { [UInt8](body.prefix(NetworkCaptureOptions.mostBodyBytes + 1)) }
        } else if request.httpBodyStream == nil, kind != .upload {
            bodySize = 0
        }
    }
}

extension AnswerFacts {
    init(_ response: URLResponse) {
        let http = response as? HTTPURLResponse
        var headers: [String: String] = [:]
        for (name, value) in http?.allHeaderFields ?? [:] {
            if let name = name as? String { headers[name] = value as? String ?? "\(value)" }
        }
        self.init(statusCode: http?.statusCode, headers: headers, contentType: response.mimeType)
    }
}

/// Errors as records have them: nothing of what else they carry, where the failing address is in full.
enum ErrorText {
    static func of(_ error: any Error) -> String {
        let error = error as NSError
        return "\(error.domain) \(error.code): \(error.localizedDescription)"
    }
}
