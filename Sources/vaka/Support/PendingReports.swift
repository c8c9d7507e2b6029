// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// The reports that a path on the command line stands for.
enum PendingReports {
    struct Found {
        var path: String
        /// Found by searching: it may be removed once it was sent.
        var inFolder: Bool
    }

    /// A file stands for itself; a storage folder for the records in its crashes/, any other folder for those in it.
    static func found(at path: String) throws -> [Found] {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CommandError("\(path): there is no such file or folder")
        }
        guard isFolder else { return [Found(path: path, inFolder: false)] }
        let crashes = path + "/crashes"
        let folder = FileManager.default.fileExists(atPath: crashes) ? crashes : path
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                .filter { $0.hasSuffix(".vakacrash") }
                .map { Found(path: folder + "/" + $0, inFolder: true) }
        } catch {
            throw CommandError("\(folder): cannot be searched: \(systemMessage(error))")
        }
    }

    /// Moves a record that cannot be read to damaged/ beside it, where it is kept and no longer tried.
    static func setAside(_ file: String) {
        let parts = file.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/") + "/damaged"
        mkdir(folder, 0o700)
        rename(file, folder + "/" + (parts.last ?? ""))
    }
}
