// SPDX-License-Identifier: Apache-2.0
import EventStore
import Glibc
import IngestService

/// Makes a data folder of a backup.
package enum Restore {
    /// Fills a folder that is new or empty. The database comes last: a restore that was cut off leaves a folder that no
    /// server takes for data.
    package static func make(from backup: String, at data: String, progress: Progress) throws -> BackupManifest {
        let manifest = try BackupManifest.read(backup)
        guard manifest.schema <= DatabaseCheck.newestSchema else {
            throw BackupError(
                "the backup's database is of a newer version (\(manifest.schema)) than this program knows "
                    + "(\(DatabaseCheck.newestSchema)): restore it with the newer vaka-server")
        }
        let folder = try FreshFolder(data, purpose: "restoring")
        let layout = DataFolder.Layout(data)
        let ordered =
            manifest.files.filter { $0.path != layout.databaseName }
            + manifest.files.filter { $0.path == layout.databaseName }
        var done: Int64 = 0
        for file in ordered {
            progress("restoring", done, manifest.bytes)
            try copy(file, backup, folder)
            done += file.bytes
        }
        folder.sync()
        return manifest
    }

    /// A file that is not what the manifest says is not left behind.
    private static func copy(
        _ file: BackupManifest.File, _ backup: String, _ folder: FreshFolder
    ) throws(BackupError) {
        let place = try folder.place(file.path)
        let partial = place + ".restoring"
        guard let copied = try CheckedFile.copy(backup + "/" + file.path, to: partial) else {
            throw BackupError("the backup lacks \(file.path); nothing can be restored from it, take another one")
        }
        guard copied == CheckedFile.Contents(bytes: file.bytes, sha256: file.sha256) else {
            unlink(partial)
            throw BackupError(
                "\(file.path) is not what was backed up (its SHA-256 differs); take another backup")
        }
        guard rename(partial, place) == 0 else { throw .system("cannot make \(place)") }
    }
}
