// SPDX-License-Identifier: Apache-2.0
/// Bounds of what is kept and sent.
package struct DeliveryLimits: Hashable, Sendable {
    /// Items in one batch.
    package var batchItems = 50
    /// Encoded bytes of one batch; a single larger item is a batch of its own.
    package var batchBytes = 4 << 20
    /// Encoded bytes of one item; a larger one sheds before it is queued.
    package var itemBytes = 16 << 20
    /// Batch files kept; the oldest go first.
    package var files = 200
    /// Of those: files of recordings, which go first.
    package var recordingFiles = 40

    package init() {}
}
