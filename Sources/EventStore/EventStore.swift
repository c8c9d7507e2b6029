// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// All that the service keeps in rows. Every method may be called from any thread and throws `StoreError`.
///
/// What a method has changed is durable when it returns: it survives `kill -9` and power loss.
package protocol EventStore: AccessStore, UserStore, UserDataStore, ScrubStore, RescrubStore, ReprocessStore,
    SpoolStore, IssueStore,
    TriageStore,
    CountStore,
    MoveStore,
    ArtifactStore,
    SourceStore, SessionStore, HangStore, InstallationStore, AttachmentStore, RecordingStore, LimitStore,
    RetentionStore, HousekeepingStore, SpaceStore, SourceLinkStore, AlertStore, NetworkStore
{
    /// By the clock that all who use the store share.
    var now: Timestamp { get }
    /// Closes every connection; the store is not used afterwards.
    func close()
}
