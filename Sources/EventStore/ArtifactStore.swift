// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What is known of uploaded images and source bundles; their bytes are in files.
package protocol ArtifactStore: Sendable {
    /// Records an image or a bundle whose file is stored, and queues the events that wait for it. The number of those.
    func addArtifact(_ artifact: Artifact, project: Int64) throws(StoreError) -> Int
    /// `kind` nil is every kind.
    func artifacts(
        project: Int64, buildID: String?, kind: ArtifactKind?, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<Artifact>
    /// Raised by every image and bundle that is added.
    func imageRevision() throws(StoreError) -> Int64
}
