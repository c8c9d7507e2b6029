// SPDX-License-Identifier: Apache-2.0

/// What of a host's tree goes into a snapshot at most; the rest is left out, and the snapshot says so.
enum SnapshotLimits {
    static let elements = 5000
    static let depth = 64
    /// UTF-8 bytes of a label or a value, cut between characters.
    static let text = 4096
}
