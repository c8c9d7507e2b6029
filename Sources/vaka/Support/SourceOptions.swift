// SPDX-License-Identifier: Apache-2.0
import Glibc
import SourceBundles

/// The options that say which source files of this machine may be read.
enum SourceOptions {
    static let options = [
        Manual.Option(
            "source-root", "DIR",
            "read source files below this folder only; may be repeated.\nThe Git work tree of the current folder, or "
                + "that folder,\nwhen not given"),
        Manual.Option(
            "source-map", "FROM=TO",
            "source files that the debug information places below FROM\nare read below TO; may be repeated"),
    ]

    /// - Parameter usesCurrent: without the options, the current folder's work tree may be read.
    static func folders(_ parsed: ParsedOptions, usesCurrent: Bool) throws -> SourceFolders {
        let maps = try parsed.all("source-map").map { argument in
            guard let map = SourceMap(argument: argument) else {
                throw UsageError("--source-map takes FROM=TO, such as /build/app=/home/me/app, not \"\(argument)\"")
            }
            return SourceMap(from: map.from, to: try folder(map.to, "--source-map \(argument)"))
        }
        let given = try parsed.all("source-root").map { try folder($0, "--source-root \($0)") }
        let folders = given.isEmpty && usesCurrent ? SourceFolders.current() : given
        return SourceFolders(folders: folders, maps: maps)
    }

    /// The folder's whole path, also where it is the current one.
    private static func folder(_ path: String, _ option: String) throws -> String {
        var whole = path
        if !path.hasPrefix("/"), let current = getcwd(nil, 0) {
            defer { free(current) }
            whole = String(cString: current) + "/" + path
        }
        guard ImageFiles.isFolder(whole) else { throw CommandError("\(option): \(path) is no folder on this machine") }
        return whole
    }
}
