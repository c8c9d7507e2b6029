// SPDX-License-Identifier: Apache-2.0
import BlobStore
import DebugImages
import EventStore
import FoundationEssentials
import Glibc
import IngestService
import VakaModel

/// A copy of a service's data, taken while it runs: the database as it was at one moment, every file that it needs, the
/// credentials. Caches and uploads under way are left out.
package enum Backup {
    private static let mostRounds = 5

    /// Throws what to do instead where the rows are in PostgreSQL: in `rows`, or the database that the folder remembers.
    ///
    /// Fills a folder that is new or empty; a whole backup has its `backup.json`, the last file that is written.
    package static func make(
        of data: String, rows: String? = nil, at target: String, progress: Progress
    ) throws -> BackupManifest {
        let source = DataFolder.Layout(data)
        if let store = rows.map(PostgresAddress.withoutSecrets) ?? RowsElsewhere(source)?.store {
            throw BackupError(PostgresAdvice(store: store, data: data.isEmpty ? nil : data).text)
        }
        guard access(source.database, R_OK) == 0 else {
            throw BackupError.system("\(data) is no data folder of a service: cannot read \(source.database)")
        }
        let folder = try FreshFolder(target, purpose: "a backup")
        var files: [String: BackupManifest.File] = [:]
        for _ in 0..<mostRounds {
            let madeAt = Timestamp.now
            let check = try copyDatabase(source, folder, progress)
            // Those in a bucket stay there.
            guard BlobAddress.read(source) == nil else {
                return try finish(source, folder, check, madeAt, files, progress)
            }
            files.merge(try copyImages(source, folder, known: files, progress)) { _, new in new }
            // An image that was taken away before it was copied is not in a later view of the database either.
            guard missing(check, DataFolder.Layout(target)).isEmpty else { continue }
            return try finish(source, folder, check, madeAt, files, progress)
        }
        throw BackupError(
            "\(data) has no file for some of its images: \"vaka admin verify --data \(data)\" names them")
    }

    private static func copyDatabase(
        _ source: DataFolder.Layout, _ folder: FreshFolder, _ progress: Progress
    ) throws -> DatabaseCheck {
        let target = DataFolder.Layout(folder.path).database
        for ending in ["", "-wal", "-shm", "-journal"] { unlink(target + ending) }
        try DatabaseCopy.make(of: source.database, at: target) { done, total in
            progress("the database", Int64(done), Int64(total))
        }
        chmod(target, 0o600)
        let check = try DatabaseCheck(path: target)
        guard check.faults.isEmpty else {
            throw BackupError("the database is damaged, and no backup was made: \(check.faults[0])")
        }
        return check
    }

    private static func copyImages(
        _ source: DataFolder.Layout, _ folder: FreshFolder, known: [String: BackupManifest.File], _ progress: Progress
    ) throws -> [String: BackupManifest.File] {
        var files: [String: BackupManifest.File] = [:]
        var links: [FileVersion: BackupManifest.File] = [:]
        let names = DataTree.files(source.path, in: [source.imagesName]).filter { known[$0] == nil }
        for (index, name) in names.enumerated() {
            progress("images", Int64(index), Int64(names.count))
            let version = FileVersion(path: source.path + "/" + name)
            let place = try folder.place(name)
            // What names and what was loaded are often the same file.
            if let version, let same = links[version], link(folder.path + "/" + same.path, place) == 0 {
                files[name] = .init(path: name, bytes: same.bytes, sha256: same.sha256)
                continue
            }
            guard let copied = try CheckedFile.copy(source.path + "/" + name, to: place) else { continue }
            let file = BackupManifest.File(path: name, bytes: copied.bytes, sha256: copied.sha256)
            files[name] = file
            if let version { links[version] = file }
        }
        return files
    }

    private static func finish(
        _ source: DataFolder.Layout, _ folder: FreshFolder, _ check: DatabaseCheck, _ madeAt: Timestamp,
        _ images: [String: BackupManifest.File], _ progress: Progress
    ) throws -> BackupManifest {
        var files = images
        let target = DataFolder.Layout(folder.path)
        for name in [source.credentialsName, source.blobsName] {
            guard let copied = try CheckedFile.copy(source.path + "/" + name, to: target.path + "/" + name) else {
                continue
            }
            files[name] = .init(path: name, bytes: copied.bytes, sha256: copied.sha256)
        }
        for ending in ["-wal", "-shm"] { unlink(target.database + ending) }
        guard let database = try CheckedFile.contents(target.database) else {
            throw BackupError.system("cannot read \(target.database)")
        }
        files[source.databaseName] = .init(path: source.databaseName, bytes: database.bytes, sha256: database.sha256)
        folder.sync()
        let manifest = BackupManifest(
            madeAt: madeAt, schema: check.schema ?? 0, counts: check.counts,
            files: files.values.sorted { $0.path < $1.path })
        let place = folder.path + "/" + BackupManifest.name
        try ModelCoding.encode(manifest, pretty: true).write(to: URL(filePath: place), options: .atomic)
        chmod(place, 0o600)
        folder.sync()
        return manifest
    }

    /// Files that the database names and the folder has not.
    static func missing(_ check: DatabaseCheck, _ folder: DataFolder.Layout) -> [DatabaseCheck.StoredFile] {
        let images = StoredImages(folder: folder.images)
        return check.files.filter { !images.has($0) }.sorted { "\($0.buildID)" < "\($1.buildID)" }
    }
}
