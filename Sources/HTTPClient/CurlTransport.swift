// SPDX-License-Identifier: Apache-2.0
import CCurl
package import Delivery

/// Carries a queue's batches by libcurl.
package struct CurlTransport: Transport {
    private let client: CurlClient

    package init(_ connection: ConnectionSettings = ConnectionSettings()) {
        client = CurlClient(connection)
    }

    /// To be called before another thread may send: a fork waits for a load from here on.
    package static func prepare() { vaka_curl_prepare() }

    /// Loads libcurl and the libraries that it brings; else the first request does.
    package static func load() { vaka_curl_load() }

    /// The process ends: breaks off what is under way, and waits for that, about a second at most. Nothing is sent any more.
    package static func end() { vaka_curl_end() }

    package func send(_ request: TransportRequest) throws(TransportFailure) -> TransportAnswer {
        do {
            return try client.perform(
                HTTPRequest(
                    url: request.url, headers: request.headers,
                    body: request.body.isEmpty ? .none : .data(request.body), timeout: request.timeout,
                    isUnwanted: request.isUnwanted))
        } catch {
            throw TransportFailure(error.message)
        }
    }
}
