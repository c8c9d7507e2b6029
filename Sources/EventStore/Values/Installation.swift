// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Where a batch came from.
package struct BatchOrigin: Hashable, Sendable {
    /// Longer ones are no ids of ours.
    package static let longestID = 64

    package var installID: String
    package var sequence: Int64

    package init(installID: String, sequence: Int64) {
        self.installID = installID
        self.sequence = sequence
    }
}

/// One place where a program is installed, as its batches tell.
package struct Installation: Hashable, Sendable {
    package var id: String
    package var firstSeen: Timestamp
    package var lastSeen: Timestamp
    /// Batches that came, each counted once.
    package var batches: Int64
    /// Batches that came again after they had been taken: their answer was lost. Nothing of them is stored twice.
    package var duplicates: Int64
    /// Numbers of those that came, in order, as ranges.
    package var received: [ClosedRange<Int64>]

    /// Numbers of batches that never came, between those that did.
    package var gaps: [ClosedRange<Int64>] {
        zip(received, received.dropFirst()).map { $0.upperBound + 1...$1.lowerBound - 1 }
    }
}
