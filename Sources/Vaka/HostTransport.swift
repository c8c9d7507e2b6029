// SPDX-License-Identifier: Apache-2.0
import Delivery
import HTTPClient

/// Sends by libcurl. It is loaded here, on the thread that starts the SDK: a program that forks or ends while another thread
/// loads libraries would hang or crash.
final class HostTransport: Transport {
    private let transport: CurlTransport

    init(_ options: Vaka.Options) {
        CurlTransport.load()
        transport = CurlTransport(Self.connection(options))
    }

    static func connection(_ options: Vaka.Options) -> ConnectionSettings {
        ConnectionSettings(proxy: options.proxy?.absoluteString, caFile: options.certificateAuthorities?.path)
    }

    /// What is under way is broken off: the libraries are cleaned up next.
    static func end() { CurlTransport.end() }

    func send(_ request: TransportRequest) throws(TransportFailure) -> TransportAnswer {
        try transport.send(request)
    }
}
