// SPDX-License-Identifier: Apache-2.0
package import EventStore
import FoundationEssentials
import IngestService
package import VakaModel

/// What a backup holds (`backup.json`), written when everything else is there: a folder without it is no backup.
package struct BackupManifest: Codable, Equatable, Sendable {
    package struct File: Codable, Equatable, Sendable {
        /// Within the backup, with slashes.
        package var path: String
        package var bytes: Int64
        /// In hexadecimal.
        package var sha256: String
    }

    static let name = "backup.json"
    static let version = 1

    package var backupVersion = Self.version
    /// The moment whose data it has.
    package var madeAt: Timestamp
    /// Of the database; a program that knows fewer steps cannot restore it.
    package var schema: Int
    package var counts: DatabaseCheck.Counts
    package var files: [File]

    enum CodingKeys: String, CodingKey {
        case backupVersion = "backup_version"
        case madeAt = "made_at"
        case schema, counts, files
    }

    /// Uploaded files are not in it, but where its `blobs.json` says.
    package var leavesImages: Bool { files.contains { $0.path == DataFolder.Layout("").blobsName } }

    var bytes: Int64 { files.reduce(0) { $0 + $1.bytes } }

    static func read(_ folder: String) throws(BackupError) -> BackupManifest {
        let path = folder + "/" + name
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw BackupError(
                "\(folder) is no whole backup, for it has no \(name): name the folder that \"vaka admin backup\" made")
        }
        guard let manifest = try? ModelCoding.decode(BackupManifest.self, from: data) else {
            throw BackupError("\(path) is damaged; take another backup")
        }
        guard manifest.backupVersion == version else {
            throw BackupError(
                "the backup is of version \(manifest.backupVersion), and this program reads \(version); use the vaka-server "
                    + "that made it")
        }
        if let wrong = manifest.files.first(where: { !isInside($0.path) }) {
            throw BackupError("\(path) names \"\(wrong.path)\", which lies outside of the backup")
        }
        return manifest
    }

    private static func isInside(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return !path.utf8.contains(0) && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }
}
