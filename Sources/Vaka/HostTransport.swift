// SPDX-License-Identifier: Apache-2.0
import Delivery
import HTTPClient
import Synchronization

/// Sends by libcurl, which is loaded when something is sent for the first time.
final class HostTransport: Transport {
    private let transport: CurlTransport
    private let hasLoaded = Mutex(false)
    private let loaded: @Sendable () -> Void

    /// `loaded` is called when libcurl and the libraries that it brings have been loaded.
    init(_ options: Vaka.Options, loaded: @escaping @Sendable () -> Void = {}) {
        transport = CurlTransport(Self.connection(options))
        self.loaded = loaded
    }

    static func connection(_ options: Vaka.Options) -> ConnectionSettings {
        ConnectionSettings(proxy: options.proxy?.absoluteString, caFile: options.certificateAuthorities?.path)
    }

    func send(_ request: TransportRequest) throws(TransportFailure) -> TransportAnswer {
        defer {
            let isFirst = hasLoaded.withLock { hasLoaded in
                defer { hasLoaded = true }
                return !hasLoaded
            }
            if isFirst { loaded() }
        }
        return try transport.send(request)
    }
}
