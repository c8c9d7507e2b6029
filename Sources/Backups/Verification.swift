// SPDX-License-Identifier: Apache-2.0
package import EventStore
import Glibc
import IngestService
import VakaModel

/// What a data folder or a backup holds, and what is wrong with it.
package struct Verification {
    package private(set) var counts = DatabaseCheck.Counts()
    package private(set) var images = 0
    /// Sentences for people; none where everything is right.
    package private(set) var faults: [String] = []

    /// Of a data folder, which may be in use.
    package init(data: String) throws {
        try check(DataFolder.Layout(data))
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
        try check(DataFolder.Layout(backup))
        if counts != manifest.counts {
            faults.append("the database holds other numbers of things than \(BackupManifest.name) says")
        }
    }

    private mutating func check(_ folder: DataFolder.Layout) throws {
        guard access(folder.database, R_OK) == 0 else {
            throw BackupError.system("cannot read \(folder.database)")
        }
        let check = try DatabaseCheck(path: folder.database)
        counts = check.counts
        images = check.files.count
        faults += check.faults
        faults += Backup.missing(check, folder).map { file in
            "the file of \(file.name ?? "an image") (\(file.kind.rawValue), build id \(file.buildID)) is not there: upload it "
                + "again"
        }
    }

    private static func fault(_ file: BackupManifest.File, _ backup: String) throws(BackupError) -> String? {
        guard let found = try CheckedFile.contents(backup + "/" + file.path) else { return "\(file.path) is not there" }
        let isSame = found == CheckedFile.Contents(bytes: file.bytes, sha256: file.sha256)
        return isSame ? nil : "\(file.path) is not what was written (its SHA-256 differs)"
    }
}
