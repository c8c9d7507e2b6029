// SPDX-License-Identifier: Apache-2.0
import Delivery
import HTTPClient

/// Sends by libcurl, which is loaded when something is sent for the first time. Neither a fork nor the program's end meets it
/// half loaded, or in use.
final class HostTransport: Transport {
    private let transport: CurlTransport

    init(_ options: Vaka.Options) {
        CurlTransport.prepare()
        transport = CurlTransport(Self.connection(options))
    }

    static func connection(_ options: Vaka.Options) -> ConnectionSettings {
        ConnectionSettings(proxy: options.proxy?.absoluteString, caFile: options.certificateAuthorities?.path)
    }

    /// What the libraries clean up at exit comes after the last sending, then.
    private static let loaded: Void = {
        CurlTransport.load()
        Runtime.endAtExit()
    }()

    func send(_ request: TransportRequest) throws(TransportFailure) -> TransportAnswer {
        Self.loaded
        return try transport.send(request)
    }

    /// What is under way is broken off: the libraries are cleaned up next.
    static func end() { CurlTransport.end() }
}
