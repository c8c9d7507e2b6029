// SPDX-License-Identifier: Apache-2.0
import BlobStore
import EventStore
import VakaModel

/// What goes on beside a vault: asking for a store that went away, taking up again what waited for it, and clearing up.
final class VaultRounds: Sendable {
    private static let hour: Int64 = 3_600_000
    private static let day: Int64 = 24 * hour

    private let vault: ImageVault
    private let store: any EventStore
    private let wanted: BuildIDFolder
    private let removals: BuildIDFolder
    private let held: HeldItems
    private let log: Log
    private let rounds = Rounds(every: 2)
    private let cleared = Monitor<Int64>(0)

    init(
        vault: ImageVault, store: any EventStore, wanted: BuildIDFolder, removals: BuildIDFolder, held: HeldItems,
        log: Log
    ) {
        self.vault = vault
        self.store = store
        self.wanted = wanted
        self.removals = removals
        self.held = held
        self.log = log
    }

    /// `wake` is called when there is something to be worked on.
    func start(wake: @escaping @Sendable () -> Void) {
        rounds.start { [self] in round(wake) }
    }

    func stop() {
        rounds.stop()
    }

    private func round(_ wake: () -> Void) {
        let isBack = vault.blobs.probe()
        if held.release(all: isBack) { wake() }
        guard !vault.blobs.isAway else { return }
        if isBack { wake() }
        do {
            if try bringWanted() { wake() }
            try removeAgain()
            try clear()
        } catch {
            log.warning("blobs_wait", "the store of images is asked again later: \(error)")
        }
    }

    /// True when events are to be symbolicated again.
    private func bringWanted() throws -> Bool {
        var isNeeded = false
        for buildID in wanted.all {
            do throws(BlobError) {
                _ = try vault.bring(buildID, revision: nil, mayBeOld: false)
            } catch {
                guard error.code == .damaged else { throw error }
            }
            let artifact = Artifact(
                buildID: buildID.description, hasCode: vault.images.executable(buildID) != nil,
                hasDebugInfo: vault.images.debugInfo(buildID) != nil, size: 0, name: nil, release: nil,
                uploadedAt: .now)
            if try store.addArtifact(artifact, project: Artifact.noProject) > 0 { isNeeded = true }
            var sources = artifact
            sources.kind = .sources
            if try store.addArtifact(sources, project: Artifact.noProject) > 0 { isNeeded = true }
            wanted.remove(buildID)
        }
        return isNeeded
    }

    /// Those whose removal was cut off.
    private func removeAgain() throws {
        for buildID in removals.all {
            // It may have been uploaded again.
            if try !UploadedImages(store: store).has(buildID) { _ = try vault.remove(buildID) }
            removals.remove(buildID)
        }
    }

    private func clear() throws {
        let now = Timestamp.now.milliseconds
        guard cleared.withLock({ $0 + Self.hour < now }) else { return }
        _ = try vault.blobs.removeRemains(before: Timestamp(milliseconds: now - Self.day))
        cleared.withLock { $0 = now }
    }
}
