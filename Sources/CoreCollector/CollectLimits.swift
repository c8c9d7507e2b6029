// SPDX-License-Identifier: Apache-2.0

/// Bounds of what is taken out of one core.
package struct CollectLimits: Sendable {
    /// Of the core that are read; what comes after is lost.
    package var coreBytes: UInt64 = 256 << 30
    /// A larger core does not come down the pipe where the process itself can be read.
    package var pipedBytes: UInt64 = 64 << 20
    /// For reading the core.
    package var readingTime: Duration = .seconds(120)
    /// For walking all stacks together.
    package var walkingTime: Duration = .seconds(20)
    /// Of the process that looks into the images' files, before it is ended.
    package var analysisTime: Duration = .seconds(60)
    /// Of memory that is kept while the record is made, beside stacks and what images need.
    package var spoolBytes: UInt64 = 48 << 20
    /// Of the crashed thread's stack, and of each other's, in the record.
    package var stackBytes = 65_536
    package var otherStackBytes = 8192
    /// That wait in the storage folder: a program that crashes again and again must not fill the disk.
    package var records = 1000

    package init() {}
}
