// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// The folder where one program keeps what it has not delivered yet.
///
///     crashes/<id>.vakacrash   records that the crash handler finished
///     crashes/<id>.json        event documents of `vaka run`, which knows more than the record did
///     crashes/damaged/         records and documents that could not be read
///     runs/<id>.vakarun        the run files
///     queues/<destination>/    what waits for one service and key: see QueuePlace
///     pending/, sequence, queue.lock, send.lock
///                              the same for what waits for whoever sends next: see QueuePlace
///     recordings/              screen recordings that are not delivered
///     recovery.lock            held while records become batches
///     install_id
///     screening                see ScreeningMark
///
/// Several processes may share it.
package struct StorageFolder: Hashable, Sendable {
    package let path: String

    package var crashes: String { path + "/crashes" }
    package var damaged: String { path + "/crashes/damaged" }
    package var runs: String { path + "/runs" }
    package var pending: String { path + "/pending" }
    package var recordings: String { path + "/recordings" }
    package var queues: String { path + "/queues" }
    var queueLock: String { path + "/queue.lock" }
    package var recoveryLock: String { path + "/recovery.lock" }

    /// Makes the folder and its subfolders where they are missing, with mode 0700.
    package init(path: String) throws(StorageError) {
        self.path = path
        var parents = ""
        for part in path.split(separator: "/") {
            parents += (path.hasPrefix("/") || !parents.isEmpty ? "/" : "") + part
            try Self.make(parents)
        }
        for folder in [crashes, runs, pending] { try Self.make(folder) }
    }

    /// One that a program has made; it gets its subfolders where they are missing.
    package init(existing path: String) throws(StorageError) {
        guard access(path, R_OK | W_OK | X_OK) == 0 else { throw StorageError("use the folder", path) }
        try self.init(path: path)
    }

    static func make(_ folder: String) throws(StorageError) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST || access(folder, X_OK) == 0 else {
            throw StorageError("make the folder", folder)
        }
    }

    /// `$XDG_STATE_HOME/vaka/<application>`, else `~/.local/state/vaka/<application>`; nil where there is no home.
    package static func standardPath(application: String, environment: [String: String]) -> String? {
        let name = application.isEmpty ? "unnamed" : application.replacing("/", with: "_")
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return "\(state)/vaka/\(name)" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/.local/state/vaka/\(name)"
    }

    /// Names in a subfolder, sorted; empty where it cannot be read.
    package func names(in folder: String) -> [String] { Self.names(in: folder) }

    static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The random id of this installation, made at the first call.
    package func installID() throws(StorageError) -> String {
        let lock = try FileLock(waitingFor: queueLock)
        defer { withExtendedLifetime(lock) {} }
        if let data = try DurableFile.read(path + "/install_id", limit: 4096) {
            let text = String(decoding: data, as: UTF8.self).filter { $0.isHexDigit || $0 == "-" }
            if (8...64).contains(text.utf8.count) { return text }
        }
        let id = UUID().uuidString.lowercased()
        try DurableFile.write(Data((id + "\n").utf8), name: "install_id", folder: path)
        return id
    }
}
