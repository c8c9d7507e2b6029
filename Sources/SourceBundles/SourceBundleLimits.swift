// SPDX-License-Identifier: Apache-2.0

/// The bounds of a source bundle, for its maker and its readers alike.
package enum SourceBundleLimits {
    /// The bundle itself, as it lies on disk.
    package static let bundleBytes = 512 << 20
    /// One source file.
    package static let fileBytes = 16 << 20
    /// All source files together, unpacked.
    package static let totalBytes = 1 << 30
    package static let files = 65_000
    package static let manifestBytes = 64 << 20
    package static let pathBytes = 4096
    /// Files named as missing; all are counted.
    package static let namedMissing = 10_000
}
