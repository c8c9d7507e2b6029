// SPDX-License-Identifier: Apache-2.0
import CCurl
package import DebugImages
import Glibc
package import VakaModel

/// One request to one server, its answer in a file. Blocks; any thread.
package struct DebuginfodDownload {
    package enum Outcome: Sendable, Equatable {
        case done(bytes: UInt64)
        /// The server does not have it.
        case absent
        /// The server did not answer as it should; for people, without its name.
        case failed(String)
        /// There is no server at all at this address, or no library to ask it.
        case unreachable(String)
    }

    /// Bytes so far, and what the server says that there are; nil where it does not say.
    package typealias Progress = (_ received: Int64, _ total: Int64?) -> Void

    private static let mostRedirects = 5
    private static let longestMessage = 1 << 20
    private static let stallBytes = 100 << 10

    let url: String
    let limits: DebuginfodLimits
    var userAgent = "vaka"

    package init(
        _ server: DebuginfodServer, _ kind: RemoteImageKind, _ buildID: BuildID, limits: DebuginfodLimits
    ) {
        url = server.address(of: kind, buildID)
        self.limits = limits
    }

    /// Writes what comes to an open file.
    package func run(to descriptor: Int32, progress: Progress?) -> Outcome {
        var response = vaka_http_response()
        let result = perform(descriptor, progress, &response)
        defer { vaka_http_response_deinit(&response) }
        switch response.status {
        case 200 where result == VAKA_HTTP_ANSWERED: return .done(bytes: response.saved_bytes)
        case 404, 410: return .absent
        case 401, 403:
            return .failed("refuses access (status \(response.status)); put user and password into its address")
        case 0, 200..<400: return failure(result, &response)
        default: return .failed("answers with status \(response.status)")
        }
    }

    private func failure(_ result: vaka_http_result, _ response: inout vaka_http_response) -> Outcome {
        let detail = withUnsafeBytes(of: &response.error) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        switch result {
        case VAKA_HTTP_NO_LIBRARY, VAKA_HTTP_BAD_URL: return .unreachable(detail)
        case VAKA_HTTP_UNREACHABLE: return .unreachable("cannot be reached (\(detail))")
        case VAKA_HTTP_TIMED_OUT: return .unreachable("is too slow (\(detail))")
        case VAKA_HTTP_TOO_LONG: return .failed("gives more than \(limits.fileBytes) bytes")
        case VAKA_HTTP_BROKEN: return .failed("ended the answer early (\(detail))")
        case VAKA_HTTP_ANSWER_FILE: return .failed("gave what cannot be written (\(detail))")
        case VAKA_HTTP_ANSWERED: return .failed("answers with status \(response.status)")
        default: return .failed("failed (\(detail))")
        }
    }

    private func perform(
        _ descriptor: Int32, _ progress: Progress?, _ response: inout vaka_http_response
    ) -> vaka_http_result {
        withoutActuallyEscaping(progress ?? { _, _ in }) { progress in
            var context = progress
            return withUnsafeMutablePointer(to: &context) { context in
                let header = "User-Agent: \(userAgent)"
                return header.withCString { header in
                    withUnsafePointer(to: Optional(header)) { headers in
                        url.withCString { url in
                            "GET".withCString { perform($0, url, headers, descriptor, context, &response) }
                        }
                    }
                }
            }
        }
    }

    private func perform(
        _ method: UnsafePointer<CChar>, _ url: UnsafePointer<CChar>,
        _ headers: UnsafePointer<UnsafePointer<CChar>?>, _ descriptor: Int32,
        _ context: UnsafeMutablePointer<Progress>, _ response: inout vaka_http_response
    ) -> vaka_http_result {
        let stall = max(0, limits.stallSeconds)
        var request = vaka_http_request(
            method: method, url: url, headers: headers, header_count: 1, body: nil, body_file: -1, body_bytes: 0,
            connect_timeout_ms: limits.connectSeconds * 1000, timeout_ms: limits.fileSeconds * 1000,
            stall_seconds: stall, stall_bytes_per_second: stall > 0 ? max(1, Self.stallBytes / stall) : 0,
            response_limit: Self.longestMessage, save_answer: 1, answer_file: descriptor,
            answer_limit: limits.fileBytes, most_redirects: Self.mostRedirects, proxy: nil, ca_file: nil,
            signature: nil, resolve: nil, progress: nil, unwanted: nil,
            received: { context, bytes, total in
                context?.assumingMemoryBound(to: Progress.self).pointee(bytes, total > 0 ? total : nil)
            }, context: context)
        return vaka_http_perform(&request, &response)
    }
}
