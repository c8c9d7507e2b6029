// SPDX-License-Identifier: Apache-2.0
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
            try requireFolder(map.to, "--source-map \(argument)")
            return map
        }
        let given = parsed.all("source-root")
        for folder in given { try requireFolder(folder, "--source-root \(folder)") }
        let folders = given.isEmpty && usesCurrent ? SourceFolders.current() : given
        return SourceFolders(folders: folders, maps: maps)
    }

    private static func requireFolder(_ path: String, _ option: String) throws {
        guard ImageFiles.isFolder(path) else { throw CommandError("\(option): \(path) is no folder on this machine") }
    }
}
