// SPDX-License-Identifier: Apache-2.0

/// What is known of uploaded images; their bytes are in files.
package protocol ArtifactStore: Sendable {
    /// Records an image whose file is stored, and queues the events that wait for it. The number of those.
    func addArtifact(_ artifact: Artifact, project: Int64) throws(StoreError) -> Int
    func artifacts(
        project: Int64, buildID: String?, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<Artifact>
    /// Raised by every image that is added.
    func imageRevision() throws(StoreError) -> Int64
}
