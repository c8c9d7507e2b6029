// SPDX-License-Identifier: Apache-2.0
import DebugImages
import EventStore
import VakaModel

/// Removes uploaded images that no stored event needs.
struct UnusedImages: Sendable {
    private static let most = 100

    let store: any EventStore
    let images: UploadedFiles
    let metrics: Metrics
    /// Held while uploaded files come and go.
    let storing: Monitor<Void>

    struct Round {
        var images: Int
        var bytes: UInt64
    }

    /// Some of those that came before `time`, the oldest first; nil when there is none left.
    ///
    /// - Parameter project: nil is every project.
    func remove(before time: Timestamp, project: Int64?) throws -> Round? {
        try storing.withLock { (_) throws -> Round? in
            try images.requireAnswer()
            let unused = try store.removeUnusedArtifacts(before: time, project: project, limit: Self.most)
            guard unused.removed > 0 else { return nil }
            // The list first: what it names is there.
            let bytes = unused.orphans.compactMap { BuildID(hex: $0) }.reduce(0) { $0 &+ images.remove($1) }
            metrics.add(.imagesRemoved, unused.removed)
            return Round(images: unused.removed, bytes: bytes)
        }
    }
}
