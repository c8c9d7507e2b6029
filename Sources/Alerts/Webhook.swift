// SPDX-License-Identifier: Apache-2.0
import CCurl
import FoundationEssentials
import Glibc

/// One POST to an address that a project chose: to the address that was checked, without a proxy and without following
/// redirects, for 10 seconds at most.
struct Webhook {
    private static let milliseconds = 10_000
    private static let longestAnswer = 64 << 10

    let address: WebAddress
    let guarding: AddressGuard

    func post(_ body: Data, headers: [String]) throws(AlertFailure) {
        let pinned = try guarding.pin(address.host)
        var response = vaka_http_response()
        let result = perform(body, headers, pinned, &response)
        defer { vaka_http_response_deinit(&response) }
        switch response.status {
        case 200..<300: return
        case 0: throw failure(result, &response)
        case 300..<400: throw AlertFailure("answered with a redirect (\(response.status)), which is not followed")
        case 410: throw AlertFailure("answered 410: it is gone for good", isFinal: true)
        default:
            let wait = withUnsafeBytes(of: &response.retry_after) { Self.text($0) }
            throw AlertFailure("answered with status \(response.status)", retryAfter: Double(wait))
        }
    }

    private func failure(_ result: vaka_http_result, _ response: inout vaka_http_response) -> AlertFailure {
        let detail = withUnsafeBytes(of: &response.error) { Self.text($0) }
        switch result {
        case VAKA_HTTP_TIMED_OUT: return AlertFailure("did not answer within \(Self.milliseconds / 1000) seconds")
        case VAKA_HTTP_NO_LIBRARY: return AlertFailure(detail)
        default: return AlertFailure("cannot be reached (\(detail))")
        }
    }

    private func perform(
        _ body: Data, _ headers: [String], _ pinned: NetworkAddress, _ response: inout vaka_http_response
    ) -> vaka_http_result {
        let lines = (headers + ["Content-Type: application/json", "User-Agent: vaka", "Expect:"]).map { strdup($0) }
        defer { lines.forEach { free($0) } }
        let to = pinned.bytes.count == 16 ? "[\(pinned)]" : "\(pinned)"
        let resolve = "\(address.host):\(address.port):\(to)"
        return lines.map { UnsafePointer<CChar>($0) }.withUnsafeBufferPointer { lines in
            address.url.withCString { url in
                resolve.withCString { resolve in
                    body.withUnsafeBytes { bytes in
                        "POST".withCString { method in
                            "".withCString { noProxy in
                                var request = vaka_http_request(
                                    method: method, url: url, headers: lines.baseAddress, header_count: lines.count,
                                    body: bytes.baseAddress, body_file: -1, body_bytes: UInt64(bytes.count),
                                    connect_timeout_ms: Self.milliseconds, timeout_ms: Self.milliseconds,
                                    stall_seconds: 10, stall_bytes_per_second: 0, response_limit: Self.longestAnswer,
                                    save_answer: 0, answer_file: -1, answer_limit: 0, most_redirects: 0,
                                    proxy: noProxy, ca_file: nil, signature: nil, resolve: resolve, progress: nil,
                                    unwanted: nil, received: nil, context: nil)
                                return vaka_http_perform(&request, &response)
                            }
                        }
                    }
                }
            }
        }
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
