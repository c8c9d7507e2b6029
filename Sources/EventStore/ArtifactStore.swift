// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What is known of uploaded images and source bundles; their bytes are in files.
package protocol ArtifactStore: Sendable {
    /// Records an image or a bundle whose file is stored, and queues the events that wait for it. The number of those.
    func addArtifact(_ artifact: Artifact, project: Int64) throws(StoreError) -> Int
    func artifacts(
        project: Int64, _ filter: ArtifactFilter, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<Artifact>
    /// Images that stored events wait for and that nobody has given, those of the most events first.
    func missingImages(project: Int64, limit: Int) throws(StoreError) -> [MissingImage]
    /// Forgets what was uploaded under at most `limit` build ids that no stored event needs; all that came later than the
    /// time stays.
    ///
    /// - Parameter project: nil is every project.
    func removeUnusedArtifacts(before: Timestamp, project: Int64?, limit: Int) throws(StoreError) -> UnusedArtifacts
    /// Raised by every image and bundle that is added.
    func imageRevision() throws(StoreError) -> Int64
}

/// What was removed of the list of artifacts.
package struct UnusedArtifacts: Hashable, Sendable {
    /// Build ids of a project that are gone.
    package var removed: Int
    /// Those of them whose files no project has any more.
    package var orphans: [String]
}
