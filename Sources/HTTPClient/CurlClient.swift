// SPDX-License-Identifier: Apache-2.0
import CCurl
package import Delivery
import FoundationEssentials
import Glibc

/// Performs requests by libcurl. Thread-safe; blocks.
package struct CurlClient: Sendable {
    private static let answerLimit = 16 << 20

    private let connection: ConnectionSettings

    package init(_ connection: ConnectionSettings = ConnectionSettings()) {
        self.connection = connection
    }

    /// The answer, whatever its status.
    package func perform(_ request: HTTPRequest) throws(ServiceError) -> TransportAnswer {
        // It is asked again when the connection is being made.
        if request.isUnwanted?() == true { throw Self.error(VAKA_HTTP_UNWANTED, vaka_http_response(), request.url) }
        var response = vaka_http_response()
        let result = call(request, &response)
        defer { vaka_http_response_deinit(&response) }
        guard result == VAKA_HTTP_ANSWERED else { throw Self.error(result, response, request.url) }
        let retryAfter = Self.text(&response.retry_after)
        return TransportAnswer(
            status: response.status, retryAfter: retryAfter.isEmpty ? nil : retryAfter,
            body: response.body.map { Data(bytes: $0, count: response.body_bytes) } ?? Data())
    }

    private func call(_ request: HTTPRequest, _ response: inout vaka_http_response) -> vaka_http_result {
        let headers = request.headers.sorted { $0.key < $1.key }.map { strdup("\($0.key): \($0.value)") }
        defer { headers.forEach { free($0) } }
        let timeout = request.timeout.map { max(1, Int($0 / .milliseconds(1))) } ?? 0
        let pointers = headers.map { UnsafePointer<CChar>($0) }
        return pointers.withUnsafeBufferPointer { pointers in
            withBody(request.body) { method, body, file, bytes in
                withCallbacks(Callbacks(progress: request.progress, isUnwanted: request.isUnwanted)) {
                    progress, unwanted, context in
                    withCStrings(request.url, connection.proxy, connection.caFile) { url, proxy, caFile in
                        var raw = vaka_http_request(
                            method: method, url: url, headers: pointers.baseAddress, header_count: pointers.count,
                            body: body, body_file: file, body_bytes: bytes, connect_timeout_ms: 15_000,
                            timeout_ms: timeout, stall_seconds: 60, stall_bytes_per_second: 0,
                            response_limit: Self.answerLimit, save_answer: 0, answer_file: -1, answer_limit: 0,
                            most_redirects: 0, proxy: proxy, ca_file: caFile, signature: nil, resolve: nil,
                            progress: progress, unwanted: unwanted, received: nil, context: context)
                        return vaka_http_perform(&raw, &response)
                    }
                }
            }
        }
    }

    private func withCStrings(
        _ url: String, _ proxy: String?, _ caFile: String?,
        _ use: (UnsafePointer<CChar>, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> vaka_http_result
    ) -> vaka_http_result {
        url.withCString { url in
            (proxy ?? "").withCString { proxyText in
                (caFile ?? "").withCString { caText in
                    use(url, proxy == nil ? nil : proxyText, caFile == nil ? nil : caText)
                }
            }
        }
    }

    private func withBody(
        _ body: HTTPRequest.Body,
        _ use: (UnsafePointer<CChar>, UnsafeRawPointer?, Int32, UInt64) -> vaka_http_result
    ) -> vaka_http_result {
        switch body {
        case .none:
            "GET".withCString { use($0, nil, -1, 0) }
        case .data(let data):
            "POST".withCString { method in
                data.withUnsafeBytes { use(method, $0.baseAddress ?? UnsafeRawPointer(method), -1, UInt64($0.count)) }
            }
        case .file(let descriptor, let bytes):
            "POST".withCString { use($0, nil, descriptor, bytes) }
        }
    }

    private struct Callbacks {
        var progress: ((_ sent: Int64, _ total: Int64) -> Void)?
        var isUnwanted: (() -> Bool)?
    }

    private typealias Progress = @convention(c) (UnsafeMutableRawPointer?, Int64, Int64) -> Void
    private typealias Unwanted = @convention(c) (UnsafeMutableRawPointer?) -> Int32

    private func withCallbacks(
        _ callbacks: Callbacks, _ use: (Progress?, Unwanted?, UnsafeMutableRawPointer?) -> vaka_http_result
    ) -> vaka_http_result {
        var callbacks = callbacks
        return withUnsafeMutablePointer(to: &callbacks) { pointer in
            use(
                { context, sent, total in
                    context?.assumingMemoryBound(to: Callbacks.self).pointee.progress?(sent, total)
                },
                { context in
                    context?.assumingMemoryBound(to: Callbacks.self).pointee.isUnwanted?() == true ? 1 : 0
                }, UnsafeMutableRawPointer(pointer))
        }
    }

    private static func error(
        _ result: vaka_http_result, _ response: vaka_http_response, _ url: String
    ) -> ServiceError {
        var response = response
        let detail = text(&response.error)
        switch result {
        case VAKA_HTTP_NO_LIBRARY: return ServiceError(.libraryMissing, detail)
        case VAKA_HTTP_BAD_URL: return ServiceError(.badURL, "\(url): \(detail); see that the address is complete")
        case VAKA_HTTP_TIMED_OUT:
            return ServiceError(.timedOut, "\(url): no answer in time (\(detail)); see that the service is up")
        case VAKA_HTTP_BODY: return ServiceError(.fileUnreadable, "\(url): the file could not be read to its end")
        case VAKA_HTTP_ENDED: return ServiceError(.broken, "\(url): broken off, for the process ends")
        case VAKA_HTTP_UNWANTED: return ServiceError(.broken, "\(url): broken off, for it is not wanted any more")
        case VAKA_HTTP_BROKEN: return ServiceError(.broken, "\(url): the connection was cut (\(detail)); try again")
        case VAKA_HTTP_TOO_LONG:
            return ServiceError(
                .badAnswer, "\(url): the answer is longer than \(answerLimit) bytes; is this a Vaka service?")
        default:
            return ServiceError(
                .unreachable,
                "\(url): cannot be reached (\(detail)); see that the address is right and the service is up")
        }
    }

    private static func text<Characters>(_ characters: inout Characters) -> String {
        withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
