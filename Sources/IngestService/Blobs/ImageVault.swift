// SPDX-License-Identifier: Apache-2.0
import BlobStore
import DebugImages
import EventStore
import VakaModel

/// Uploaded images whose home is a blob store; the image folder is their cache. Thread-safe: what several ask for at once is
/// fetched once.
final class ImageVault: Sendable {
    /// What bringing an image came to.
    enum Outcome {
        /// It is here as it was.
        case unchanged
        /// It has come, or another has come in its place.
        case came
        /// The store has nothing of it.
        case absent
    }

    private struct State {
        /// Those that somebody is at.
        var busy: Set<BuildID> = []
        /// Those that are not given up, and how many want that.
        var leases: [BuildID: Int] = [:]
        /// At which image revision it was known last what the store has.
        var checked: [BuildID: Int64] = [:]
        /// Rises whenever files come or go.
        var generation = 0
        var uploads = 0
    }

    private static let mostChecked = 100_000
    /// Uploads that wait for the store, so that others find a thread.
    private static let mostUploads = 16

    let blobs: WatchedBlobs
    let images: ImageStore
    private let cacheBytes: UInt64
    private let metrics: Metrics
    private let log: Log
    private let state = Monitor(State())

    init(blobs: WatchedBlobs, images: ImageStore, cacheBytes: UInt64, metrics: Metrics, log: Log) {
        self.blobs = blobs
        self.images = images
        self.cacheBytes = cacheBytes
        self.metrics = metrics
        self.log = log
    }

    var generation: Int { state.withLock { $0.generation } }

    /// Brings what the store has of a build id to the image folder.
    ///
    /// - Parameters:
    ///   - revision: what was found at this image revision, or a later one, still holds. Nil: the store is asked.
    ///   - mayBeOld: what is here serves where the store does not answer.
    ///   - leavingOutDamage: for one who is about to replace what is damaged there.
    func bring(
        _ buildID: BuildID, revision: Int64?, mayBeOld: Bool, leavingOutDamage: Bool = false
    ) throws(BlobError) -> Outcome {
        try exclusively(buildID) { () throws(BlobError) in
            let root = images.root(buildID)
            let copy = LocalCopy(whole: root)
            if copy != nil { LocalCopy.touch(root) }
            if copy != nil, let revision, isChecked(buildID, revision) { return .unchanged }
            let outcome: Outcome
            do throws(BlobError) {
                outcome = try refresh(buildID, copy, leavingOutDamage)
            } catch {
                guard error.isNoAnswer, copy != nil, mayBeOld else { throw error }
                return .unchanged
            }
            if let revision { note(buildID, revision) }
            return outcome
        }
    }

    /// Sends what a worker has just put into the image folder to the store. Throws `changed` where another machine was faster:
    /// the folder then has what is not the store's, and is to be forgotten.
    func publish(_ buildID: BuildID) throws(BlobError) {
        try exclusively(buildID) { () throws(BlobError) in
            try VaultPublication(buildID: buildID, folder: images.root(buildID), blobs: blobs).run()
            state.withLock { $0.generation += 1 }
        }
        trim(to: cacheBytes)
    }

    /// Forgets what is in the image folder.
    func forget(_ buildID: BuildID) {
        _ = images.remove(buildID)
        state.withLock { state in
            state.generation += 1
            state.checked[buildID] = nil
        }
    }

    /// Removes a build id from the store and here; the bytes that it took there.
    func remove(_ buildID: BuildID) throws(BlobError) -> UInt64 {
        try exclusively(buildID) { () throws(BlobError) in
            // What nobody finds the way to goes last.
            try blobs.remove(VaultKey.index(buildID))
            let rest = try blobs.all(VaultKey.folder(buildID))
            for blob in rest { try blobs.remove(blob.key) }
            forget(buildID)
            return rest.reduce(0) { $0 + UInt64(max(0, $1.size)) }
        }
    }

    /// Gives up images here that nobody is at, until the rest takes at most so many bytes.
    func trim(to mostBytes: UInt64) {
        let removed = images.trim(to: mostBytes) { buildID in
            state.withLock { $0.busy.contains(buildID) || $0.leases[buildID] != nil }
        }
        guard removed > 0 else { return }
        metrics.add(.imagesGivenUp, removed)
        state.withLock { state in
            state.generation += 1
            state.checked = [:]
        }
    }

    /// These are not given up before `release`.
    func lease(_ buildIDs: [BuildID]) {
        state.withLock { state in for buildID in buildIDs { state.leases[buildID, default: 0] += 1 } }
    }

    func release(_ buildIDs: [BuildID]) {
        state.withLock { state in
            for buildID in buildIDs {
                let rest = (state.leases[buildID] ?? 1) - 1
                state.leases[buildID] = rest > 0 ? rest : nil
            }
        }
    }

    /// Runs an upload, or refuses it where many wait.
    func uploading<Value>(_ body: () throws -> Value) throws -> Value {
        let isFree = state.withLock { state in
            guard state.uploads < Self.mostUploads else { return false }
            state.uploads += 1
            return true
        }
        guard isFree else { throw APIError.unavailable("many uploads are under way; send this one again later") }
        defer { state.withLock { $0.uploads -= 1 } }
        return try body()
    }

    /// True when at this revision there is nothing new to be had.
    func isChecked(_ buildID: BuildID, _ revision: Int64) -> Bool {
        state.withLock { $0.checked[buildID].map { $0 >= revision } ?? false }
    }

    func note(_ buildID: BuildID, _ revision: Int64) {
        state.withLock { state in
            if state.checked.count >= Self.mostChecked { state.checked = [:] }
            state.checked[buildID] = revision
        }
    }

    private func refresh(
        _ buildID: BuildID, _ copy: LocalCopy?, _ leavesOutDamage: Bool
    ) throws(BlobError) -> Outcome {
        let fetch = VaultFetch(
            buildID: buildID, folder: images.root(buildID), blobs: blobs, leavesOutDamage: leavesOutDamage)
        guard let outcome = try fetch.run(copy) else {
            if !LocalCopy.files(in: images.root(buildID)).isEmpty { forget(buildID) }
            return .absent
        }
        guard outcome else { return .unchanged }
        state.withLock { $0.generation += 1 }
        metrics.add(.imagesBrought)
        trim(to: cacheBytes)
        return .came
    }

    private func exclusively<Value>(
        _ buildID: BuildID, _ body: () throws(BlobError) -> Value
    ) throws(BlobError) -> Value {
        _ = state.wait { state in state.busy.insert(buildID).inserted ? true : nil }
        defer { state.update { _ = $0.busy.remove(buildID) } }
        return try body()
    }
}
