// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import Glibc

/// Chooses the folder where reports are kept.
enum StorageChoice {
    struct None: Error, CustomStringConvertible {
        let description: String
    }

    /// The host's choice, or the first standard place that can be written.
    static func folder(_ chosen: String?) throws -> StorageFolder {
        if let chosen { return try StorageFolder(path: chosen) }
        let name = application
        let standard = StorageFolder.standardPath(
            application: name, environment: ProcessInfo.processInfo.environment)
        if let standard, let folder = try? writable(standard) { return folder }
        let own = "\(temporary)/vaka-\(geteuid())"
        mkdir(own, 0o700)
        guard isPrivate(own) else {
            throw None(
                description: "there is no folder to keep reports in (\(standard ?? "no HOME") cannot be written, "
                    + "\(own) is not this user's own); set storageDirectory")
        }
        return try writable("\(own)/\(name)")
    }

    /// The program's name.
    static var application: String {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return path.split(separator: "/").last.map(String.init) ?? "unnamed"
    }

    private static var temporary: String {
        let variable = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        return variable.hasPrefix("/") ? variable : "/tmp"
    }

    private static func writable(_ path: String) throws -> StorageFolder {
        let folder = try StorageFolder(path: path)
        guard access(folder.pending, W_OK) == 0 else {
            throw None(description: "\(path) cannot be written; set storageDirectory")
        }
        return folder
    }

    /// Others could have made the folder first, or could write to it.
    private static func isPrivate(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
            && information.st_uid == geteuid() && information.st_mode & 0o077 == 0
    }
}
