// SPDX-License-Identifier: Apache-2.0
import DebugImages
import FoundationEssentials
import Glibc
import VakaModel

/// What was downloaded, and what could not be: `HEX/debuginfo`, `HEX/executable`, and for each server that did not give a
/// file a note, which is valid for a while.
///
/// Safe for many threads and processes: files come by rename, whole.
package struct DebuginfodCache: Sendable {
    package let folder: String
    let limits: DebuginfodLimits

    private struct Absence: Codable {
        var server: String
        var reason: String
        var until: Timestamp
    }

    /// The folder is made when there is something to keep.
    package init(folder: String, limits: DebuginfodLimits) {
        self.folder = folder
        self.limits = limits
    }

    /// `$XDG_CACHE_HOME/vaka/debuginfod`, else in `~/.cache`; nil where there is neither.
    package static func usualFolder(environment: [String: String]) -> String? {
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") { return cache + "/vaka/debuginfod" }
        return environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.cache/vaka/debuginfod" : nil }
    }

    /// A file that was brought before; it counts as used from now on.
    func file(_ kind: RemoteImageKind, _ buildID: BuildID) -> String? {
        let path = path(kind, buildID)
        return utimensat(AT_FDCWD, path, nil, 0) == 0 ? path : nil
    }

    /// Why a server is not asked again yet; nil when it may be.
    func absence(_ kind: RemoteImageKind, _ buildID: BuildID, _ server: DebuginfodServer) -> String? {
        let path = note(kind, buildID, server)
        guard access(path, F_OK) == 0, let data = try? Data(contentsOf: URL(filePath: path)),
            let absence = try? ModelCoding.decode(Absence.self, from: data)
        else { return nil }
        guard absence.until > .now, absence.server == server.name else {
            unlink(path)
            return nil
        }
        return absence.reason
    }

    func remember(
        _ reason: String, for seconds: Int, _ kind: RemoteImageKind, _ buildID: BuildID, _ server: DebuginfodServer
    ) {
        let until = Timestamp(milliseconds: Timestamp.now.milliseconds + Int64(seconds) * 1000)
        guard seconds > 0, makeFolder(buildID) else { return }
        let absence = Absence(server: server.name, reason: reason, until: until)
        try? ModelCoding.encode(absence).write(to: URL(filePath: note(kind, buildID, server)), options: .atomic)
    }

    /// A new file to write to, closed on exec, with its path. Throws why there is none.
    func temporary(_ buildID: BuildID) throws(DebuginfodError) -> (descriptor: Int32, path: String) {
        _ = makeFolder(buildID)
        let path = "\(folder)/\(buildID)/.incoming-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DebuginfodError(
                "cannot write to the cache \(folder): \(String(cString: strerror(errno))); set XDG_CACHE_HOME")
        }
        return (descriptor, path)
    }

    /// Takes a file over; where it is then.
    func keep(_ temporary: String, _ kind: RemoteImageKind, _ buildID: BuildID) -> String {
        let path = path(kind, buildID)
        return rename(temporary, path) == 0 ? path : temporary
    }

    private func path(_ kind: RemoteImageKind, _ buildID: BuildID) -> String { "\(folder)/\(buildID)/\(kind.rawValue)" }

    private func note(_ kind: RemoteImageKind, _ buildID: BuildID, _ server: DebuginfodServer) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in server.url.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "\(folder)/\(buildID)/.\(kind.rawValue)-\(String(hash, radix: 16))"
    }

    private func makeFolder(_ buildID: BuildID) -> Bool {
        var path = ""
        for part in "\(folder)/\(buildID)".split(separator: "/") {
            path += "/" + part
            if mkdir(path, 0o700) != 0, errno != EEXIST { return false }
        }
        return true
    }
}
