// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Glibc
package import VakaModel

/// Source bundles by build id, beside the images of an `ImageStore`: `ab/cdef…/sources.zip`.
///
/// Safe for many threads and processes, as the images are.
package struct SourceBundleStore: Sendable {
    package enum AddOutcome: String, Sendable {
        case stored
        /// The stored bundle tells as much.
        case alreadyThere = "already_there"
        /// The stored bundle tells more, and stays.
        case poorerThanStored = "poorer_than_stored"
    }

    package let folder: String

    /// The folder is made when the first bundle is added.
    package init(folder: String) {
        self.folder = folder
    }

    package func path(_ buildID: BuildID) -> String? {
        let path = place(buildID) + "/sources.zip"
        return access(path, R_OK) == 0 ? path : nil
    }

    /// Moves a bundle, whose contents were checked, into the store; unless it throws, its file is gone afterwards.
    package func add(_ bundle: SourceBundle) throws(SourceBundleError) -> AddOutcome {
        do {
            return try add(bundle, StoreFiles(root: folder))
        } catch {
            throw SourceBundleError(.storage, path: error.path, error.message)
        }
    }

    private func add(_ bundle: SourceBundle, _ files: StoreFiles) throws(DebugImageError) -> AddOutcome {
        let place = place(bundle.buildID)
        try files.makeFolder(place)
        return try files.locked(place) { () throws(DebugImageError) in
            if let stored = path(bundle.buildID).flatMap({ try? SourceBundle(path: $0) }) {
                let (known, new) = (stored.richness, bundle.richness)
                guard new > known else {
                    unlink(bundle.path)
                    return new == known ? .alreadyThere : .poorerThanStored
                }
            }
            let temporary = place + "/.incoming-\(getpid())-\(UInt64.random(in: 0 ... .max))"
            defer { unlink(temporary) }
            try files.bring(bundle.path, to: temporary, move: true)
            guard rename(temporary, place + "/sources.zip") == 0 else {
                throw files.failure("rename to", place + "/sources.zip")
            }
            files.sync(folder: place)
            return .stored
        }
    }

    private func place(_ buildID: BuildID) -> String {
        let hex = buildID.description
        return folder + "/" + hex.prefix(2) + "/" + hex.dropFirst(2)
    }
}
