// SPDX-License-Identifier: Apache-2.0
import BlobStore
package import EventStore
import FoundationEssentials
import Glibc
import IngestService
import VakaModel

/// What a data folder or a backup holds, and what is wrong with it.
package struct Verification {
    package private(set) var counts = DatabaseCheck.Counts()
    package private(set) var images = 0
    /// Sentences for people; none where everything is right.
    package private(set) var faults: [String] = []

    /// Where the files are, when that is not the folder.
    package private(set) var store: String?

    /// Of a data folder, which may be in use.
    ///
    /// - Parameter rows: the database in PostgreSQL that has its rows; else it is the one that the folder remembers.
    package init(data: String, rows: String? = nil, progress: Progress) throws {
        let folder = DataFolder.Layout(data)
        guard let rows = rows ?? RowsElsewhere(folder)?.store else {
            try check(folder, progress)
            return
        }
        do {
            try take(DatabaseCheck(postgres: rows), folder, progress)
        } catch let error as StoreError where error.code == .away {
            throw BackupError("\(error): name it with --store, or give its password in PGPASSWORD")
        }
    }

    /// Of a backup: also that each file is what was written.
    package init(backup: String, progress: Progress) throws {
        let manifest = try BackupManifest.read(backup)
        var done: Int64 = 0
        for file in manifest.files {
            progress("reading", done, manifest.bytes)
            if let fault = try Self.fault(file, backup) { faults.append(fault) }
            done += file.bytes
        }
        guard faults.isEmpty else { return }
        try check(DataFolder.Layout(backup), progress)
        if counts != manifest.counts {
            faults.append("the database holds other numbers of things than \(BackupManifest.name) says")
        }
    }

    private mutating func check(_ folder: DataFolder.Layout, _ progress: Progress) throws {
        guard access(folder.database, R_OK) == 0 else {
            throw BackupError.system("cannot read \(folder.database)")
        }
        try take(DatabaseCheck(path: folder.database), folder, progress)
    }

    private mutating func take(
        _ check: DatabaseCheck, _ folder: DataFolder.Layout, _ progress: Progress
    ) throws {
        counts = check.counts
        images = check.files.count
        faults += check.faults
        faults += try missing(check, folder, progress).map { file in
            "the file of \(file.name ?? "an image") (\(file.kind.rawValue), build id \(file.buildID)) is not "
                + "\(store.map { "in \($0)" } ?? "there"): upload it again"
        }
    }

    private mutating func missing(
        _ check: DatabaseCheck, _ folder: DataFolder.Layout, _ progress: Progress
    ) throws -> [DatabaseCheck.StoredFile] {
        guard let address = BlobAddress.read(folder) else { return Backup.missing(check, folder) }
        let blobs = try address.open(ProcessInfo.processInfo.environment)
        store = blobs.name
        return try VaultInspection(blobs).missing(check.files) { done, total in progress("images", done, total) }
    }

    private static func fault(_ file: BackupManifest.File, _ backup: String) throws(BackupError) -> String? {
        guard let found = try CheckedFile.contents(backup + "/" + file.path) else { return "\(file.path) is not there" }
        let isSame = found == CheckedFile.Contents(bytes: file.bytes, sha256: file.sha256)
        return isSame ? nil : "\(file.path) is not what was written (its SHA-256 differs)"
    }
}
