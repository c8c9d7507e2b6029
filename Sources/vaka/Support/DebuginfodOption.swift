// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Debuginfod
import FoundationEssentials

/// `--debuginfod URL` and the environment's `DEBUGINFOD_URLS`: who is asked for images that are not on this machine.
enum DebuginfodOption {
    static let name = "debuginfod"
    static let manual = Manual.Option(
        name, "URL", "ask this debuginfod server for images that are not here; may be repeated")
    static let explanation = """
        Nobody else is asked for an image, unless --debuginfod is given or DEBUGINFOD_URLS set (DEBUGINFOD_URLS= for one
        call keeps it from being used; so does --no-system): then the build ids of images that are not here are sent to
        those servers, and what they give is kept in ~/.cache/vaka/debuginfod.
        """

    /// Nil when nobody is to be asked.
    static func client(_ options: ParsedOptions) throws -> DebuginfodClient? {
        let environment = ProcessInfo.processInfo.environment
        do {
            var servers = try options.all(name).map(DebuginfodServer.init(url:))
            let isAsked = !servers.isEmpty
            if !options.has("no-system"), let urls = environment["DEBUGINFOD_URLS"] {
                servers += try DebuginfodServer.list(urls).filter { !servers.contains($0) }
            }
            guard !servers.isEmpty else { return nil }
            guard let folder = DebuginfodCache.usualFolder(environment: environment) else {
                throw CommandError("no folder for what debuginfod servers give: set HOME or XDG_CACHE_HOME")
            }
            let cache = DebuginfodCache(folder: folder, limits: try DebuginfodLimits(environment: environment))
            return DebuginfodClient(servers: servers, cache: cache, observer: observer(tells: !isAsked))
        } catch let error as DebuginfodError {
            throw UsageError(error.message)
        }
    }

    /// Who did not ask for it is told that others are asked.
    private static func observer(tells: Bool) -> DebuginfodClient.Observer {
        let bar = SharedProgressBar()
        return DebuginfodClient.Observer(
            begins: { servers in
                guard tells else { return }
                let names = servers.map(\.name).joined(separator: " ")
                Terminal.complain("asking for missing images, as DEBUGINFOD_URLS says: \(names)\n")
            },
            progress: { file, received, total in bar.update(file, received, total) }, ends: { bar.finish() })
    }
}
