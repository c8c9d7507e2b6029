// SPDX-License-Identifier: Apache-2.0
package import DebugImages
import FoundationEssentials
import Glibc
import Synchronization
package import VakaModel

/// Asks servers of the debuginfod protocol, one after the other, and keeps what they give. A server that cannot be reached
/// is not asked again by this object. Any thread; one request at a time.
package final class DebuginfodClient: RemoteImages {
    /// What the owner of the object is told.
    package struct Observer: Sendable {
        /// Before the first request of all.
        package var begins: @Sendable ([DebuginfodServer]) -> Void
        /// Bytes of a file so far, and what the server says that it has.
        package var progress: @Sendable (_ file: String, _ received: Int64, _ total: Int64?) -> Void
        /// After each file, whatever came of it.
        package var ends: @Sendable () -> Void

        package init(
            begins: @escaping @Sendable ([DebuginfodServer]) -> Void = { _ in },
            progress: @escaping @Sendable (_ file: String, _ received: Int64, _ total: Int64?) -> Void = { _, _, _ in },
            ends: @escaping @Sendable () -> Void = {}
        ) {
            self.begins = begins
            self.progress = progress
            self.ends = ends
        }
    }

    private struct State {
        var hasBegun = false
        /// Why a server is not asked any more.
        var givenUp: [DebuginfodServer: String] = [:]
    }

    private let servers: [DebuginfodServer]
    private let cache: DebuginfodCache
    private let limits: DebuginfodLimits
    private let observer: Observer
    private let state = Mutex(State())

    package init(servers: [DebuginfodServer], cache: DebuginfodCache, observer: Observer = Observer()) {
        self.servers = servers
        self.cache = cache
        limits = cache.limits
        self.observer = observer
    }

    package func fetch(_ kind: RemoteImageKind, _ buildID: BuildID) -> RemoteImageAnswer {
        state.withLock { state in
            if let path = cache.file(kind, buildID), Self.buildID(of: path) == buildID {
                return .file(path: path, source: "debuginfod cache")
            }
            var reasons: [String] = []
            for server in servers {
                if let reason = state.givenUp[server] ?? cache.absence(kind, buildID, server) {
                    reasons.append("\(server.name) \(reason)")
                    continue
                }
                if !state.hasBegun { begin(&state) }
                switch ask(server, kind, buildID, &state) {
                case .success(let path): return .file(path: path, source: "debuginfod \(server.name)")
                case .failure(let error): reasons.append("\(server.name) \(error.message)")
                }
            }
            return .absent(reasons.joined(separator: "; "))
        }
    }

    private func begin(_ state: inout State) {
        state.hasBegun = true
        cache.clean()
        observer.begins(servers)
    }

    private func ask(
        _ server: DebuginfodServer, _ kind: RemoteImageKind, _ buildID: BuildID, _ state: inout State
    ) -> Result<String, DebuginfodError> {
        let temporary: (descriptor: Int32, path: String)
        do {
            temporary = try cache.temporary(buildID)
        } catch {
            return .failure(error)
        }
        defer { observer.ends() }
        let outcome = download(server, kind, buildID, temporary.descriptor)
        close(temporary.descriptor)
        var (reason, seconds) = ("", limits.failureSeconds)
        switch outcome {
        case .done:
            let given = Self.buildID(of: temporary.path)
            if given == buildID { return .success(cache.keep(temporary.path, kind, buildID)) }
            reason = given.map { "gave a file of another build id (\($0))" } ?? "gave what is no file of a build id"
            seconds = limits.absenceSeconds
        case .absent:
            (reason, seconds) = ("has no \(kind.rawValue) of it", limits.absenceSeconds)
        case .failed(let why):
            reason = why
        case .unreachable(let why):
            (reason, seconds) = (why, 0)
            state.givenUp[server] = why
        }
        unlink(temporary.path)
        cache.remember(reason, for: seconds, kind, buildID, server)
        return .failure(DebuginfodError(reason))
    }

    private func download(
        _ server: DebuginfodServer, _ kind: RemoteImageKind, _ buildID: BuildID, _ descriptor: Int32
    ) -> DebuginfodDownload.Outcome {
        let file = "\(server.name)/buildid/\(buildID)/\(kind.rawValue)"
        let download = DebuginfodDownload(server, kind, buildID, limits: limits)
        return download.run(to: descriptor) { [observer] received, total in observer.progress(file, received, total) }
    }

    private static func buildID(of path: String) -> BuildID? { (try? ELFIdentifier.identify(path: path))?.buildID }
}
