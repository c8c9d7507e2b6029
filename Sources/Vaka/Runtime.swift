// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The process's one lifecycle.
enum Runtime {
    static let lifecycle = Lifecycle { start in
        let transport = HostTransport(start.options)
        let client = try Client(options: start.options, user: start.user, transport: transport)
        endsAtExit
        return client
    }

    /// Whatever was registered before, of libraries too, comes after the last sending. May be called again.
    static func endAtExit() {
        atexit {
            Runtime.lifecycle.end(within: .seconds(2))
            HostTransport.end()
        }
    }

    private static let endsAtExit: Void = endAtExit()

    static var client: Client? { lifecycle.client }
}
