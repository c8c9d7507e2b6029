// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// The process's one client.
enum Runtime {
    private enum Phase {
        case idle
        case starting
        case running(Client)
    }

    private static let phase = Mutex(Phase.idle)

    /// Nil before `start` is done, and in a forked child, where the threads that send are missing.
    static var client: Client? {
        guard case .running(let client) = phase.withLock({ $0 }), client.isOwnProcess else { return nil }
        return client
    }

    /// Called again after the transport's libraries have been loaded: what they clean up at exit then comes after the last
    /// sending.
    private static func endAtExit() {
        atexit { Runtime.client?.end(within: .seconds(2)) }
    }

    static func start(_ options: Vaka.Options) {
        guard options.enabled else { return }
        let isFirst = phase.withLock { phase in
            guard case .idle = phase else { return false }
            phase = .starting
            return true
        }
        guard isFirst else { return }
        do {
            let client = try Client(options: options, transport: HostTransport(options, loaded: endAtExit))
            phase.withLock { $0 = .running(client) }
            endAtExit()
            client.beginWatching()
            client.recover()
        } catch {
            phase.withLock { $0 = .idle }
            DebugLog.say("Vaka did not start: \(error)")
        }
    }
}
