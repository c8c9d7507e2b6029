// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// Chooses the folder where reports are kept.
package enum StorageChoice {
    package struct None: Error, CustomStringConvertible {
        package let description: String
    }

    /// The folder that was named, or the first standard place of the application that can be written. `remedy` says how
    /// to name one.
    package static func folder(
        _ chosen: String?, application: String, environment: [String: String], remedy: String
    ) throws -> StorageFolder {
        if let chosen { return try StorageFolder(path: chosen) }
        let standard = StorageFolder.standardPath(application: application, environment: environment)
        if let standard, let folder = try? writable(standard, remedy) { return folder }
        let own = temporary(environment)
        mkdir(own, 0o700)
        guard isPrivate(own) else {
            throw None(
                description: "there is no folder to keep reports in (\(standard ?? "no HOME") cannot be written, "
                    + "\(own) is not this user's own); \(remedy)")
        }
        return try writable("\(own)/\(application)", remedy)
    }

    /// The folders that `folder` would try, in their order, whether or not they are there.
    package static func paths(_ chosen: String?, application: String, environment: [String: String]) -> [String] {
        if let chosen { return [chosen] }
        let standard = StorageFolder.standardPath(application: application, environment: environment)
        return [standard, "\(temporary(environment))/\(application)"].compactMap(\.self)
    }

    private static func temporary(_ environment: [String: String]) -> String {
        let variable = environment["TMPDIR"] ?? ""
        return "\(variable.hasPrefix("/") ? variable : "/tmp")/vaka-\(geteuid())"
    }

    /// This program's name.
    package static var application: String {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return path.split(separator: "/").last.map(String.init) ?? "unnamed"
    }

    private static func writable(_ path: String, _ remedy: String) throws -> StorageFolder {
        let folder = try StorageFolder(path: path)
        guard access(folder.pending, W_OK) == 0 else {
            throw None(description: "\(path) cannot be written; \(remedy)")
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
