// SPDX-License-Identifier: Apache-2.0
package import BlobStore
package import EventStore
import VakaModel

/// Looks whether a blob store has the files that a database names.
package struct VaultInspection {
    private let blobs: any BlobStore

    package init(_ blobs: any BlobStore) {
        self.blobs = blobs
    }

    /// Those that it has not, or not whole.
    package func missing(
        _ files: Set<DatabaseCheck.StoredFile>, progress: (_ done: Int64, _ total: Int64) -> Void
    ) throws(BlobError) -> [DatabaseCheck.StoredFile] {
        var missing: [DatabaseCheck.StoredFile] = []
        let images = Dictionary(grouping: files, by: \.buildID)
        for (number, (buildID, wanted)) in images.enumerated() {
            progress(Int64(number), Int64(images.count))
            let names = try names(buildID)
            missing += wanted.filter { !$0.isAmong(names) }
        }
        return missing.sorted { "\($0.buildID)" < "\($1.buildID)" }
    }

    /// Of the files whose contents are there in their full size.
    private func names(_ buildID: BuildID) throws(BlobError) -> Set<String> {
        guard let found = try blobs.read(VaultKey.index(buildID)), let index = VaultIndex(found.bytes) else {
            return []
        }
        var sizes: [String: Int64] = [:]
        for blob in try blobs.all(VaultKey.folder(buildID)) { sizes[blob.key] = blob.size }
        return Set(index.files.filter { sizes[VaultKey.contents(buildID, $0.value.sha256)] == $0.value.size }.keys)
    }
}

extension DatabaseCheck.StoredFile {
    fileprivate func isAmong(_ names: Set<String>) -> Bool {
        switch kind {
        case .package: names.contains { $0.hasSuffix(".dwp") }
        case .sources: names.contains("sources.zip")
        default: names.contains { $0.hasSuffix("executable") || $0.hasSuffix("debuginfo") }
        }
    }
}
