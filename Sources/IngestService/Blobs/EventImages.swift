// SPDX-License-Identifier: Apache-2.0
import BlobStore
import EventStore
import Synchronization
import VakaModel

/// Brings the images that an event lacks out of the vault. Thread-safe.
struct EventImages: Sendable {
    enum Supply {
        /// There is nothing more to be had.
        case nothing
        /// Something has come: it is worth to look again.
        case came
        /// Whether there is more cannot be told now.
        case noAnswer(String, [BuildID])
    }

    let vault: ImageVault
    let store: any EventStore
    /// To be brought once the store answers, for the sake of events that were stored without.
    let wanted: BuildIDFolder
    let log: Log

    /// - Parameters:
    ///   - buildIDs: of images that could say more than they did.
    ///   - lease: takes those that are here.
    func supply(_ buildIDs: [String], revision: Int64, _ lease: VaultLease) throws(StoreError) -> Supply {
        var (hasCome, unknown): (Bool, [BuildID]) = (false, [])
        var reason = ""
        for buildID in Set(buildIDs).sorted().compactMap({ BuildID(hex: $0) }) {
            guard !vault.isChecked(buildID, revision) else { continue }
            guard try UploadedImages(store: store).has(buildID) else {
                vault.note(buildID, revision)
                continue
            }
            lease.add(buildID)
            do throws(BlobError) {
                if case .came = try vault.bring(buildID, revision: revision, mayBeOld: true) { hasCome = true }
            } catch {
                guard error.code != .damaged else {
                    vault.note(buildID, revision)
                    continue
                }
                reason = error.description
                unknown.append(buildID)
            }
        }
        return unknown.isEmpty ? hasCome ? .came : .nothing : .noAnswer(reason, unknown)
    }
}

/// What was uploaded, to whatever project: images are found for all.
struct UploadedImages {
    let store: any EventStore

    func has(_ buildID: BuildID) throws(StoreError) -> Bool {
        let filter = ArtifactFilter(buildID: buildID.description)
        for project in try store.projects() {
            let page = try store.artifacts(project: project.id, filter, after: nil, limit: 1)
            if !page.items.isEmpty { return true }
        }
        return false
    }
}

/// The images of an event cannot be had now.
struct ImagesAway: Error {
    let reason: String
}
