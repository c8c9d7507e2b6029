// SPDX-License-Identifier: Apache-2.0
package import EventStore

/// The bounds of the service.
package struct ServiceLimits: Sendable {
    /// A batch as it is sent.
    package var batchBytes = 20 << 20
    /// A batch decompressed.
    package var decompressedBytes = 100 << 20
    package var batchItems = 1000
    /// A batch with more is refused as a whole; each item between the two is answered by itself.
    package var refusedBatchItems = 10_000
    /// An attachment of an event.
    package var attachmentBytes = 8 << 20
    /// How deep JSON may be nested.
    package var jsonDepth = 64
    /// At one time; fewer where the limit of open files is lower.
    package var connections = 10_000
    /// Seconds for which a connection may say nothing.
    package var idleSeconds = 30
    /// How much may come in a minute, where a project does not set it for itself.
    package var rates = RateLimits()
    /// What waits to be worked on; beyond it senders are asked to wait.
    package var spoolBytes = 2 << 30
    /// An uploaded image.
    package var uploadBytes: Int64 = 4 << 30
    /// All images that were fetched from other servers.
    package var fetchedBytes: UInt64 = 20 << 30
    /// What is kept here of images whose home is elsewhere.
    package var blobCacheBytes: UInt64 = 20 << 30
    /// Seconds for which a report waits for the store of images to answer, before it is stored as it is.
    package var blobPatience = 600
    /// All that the data folder may take on the disk; nil is no bound.
    package var diskBytes: UInt64?
    /// Days for which an image is not given up for room, though no event needs it.
    package var unusedImageDays = 30
    /// What is kept, where a project does not set it for itself.
    package var retention = Retention()
    /// Days for which an item that is sent again is known.
    package var repeatDays = 30
    /// Days for which the builds are remembered whose first crash was kept.
    package var buildDays = 365
    /// Of each project: builds that are remembered, and items of kinds that have no table.
    package var mostRecords = 100_000
    /// Of each project: parts of recordings.
    package var mostRecordings = 20_000
    /// Days for which attachments and hang ends wait for their event.
    package var looseDays = 30
    /// Days for which a report is kept for images to come.
    package var reportDays = 30
    /// Memory of a worker.
    package var workerBytes: UInt64 = 4 << 30
    /// A worker's answer.
    package var workerAnswerBytes = 256 << 20
    /// A file that a worker writes.
    package var workerFileBytes: UInt64 { UInt64(uploadBytes) * 2 }
    /// Seconds for which a worker may be silent over one job.
    package var workerSeconds = 60.0

    package init() {}
}
