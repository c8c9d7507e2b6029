// SPDX-License-Identifier: Apache-2.0

/// The body of a request that brings a batch.
package struct BatchBody: Sendable {
    /// Decompressed.
    package var text: [UInt8]
    /// As it was sent, where that is gzip and small.
    package var gzip: [UInt8]?
    /// What stands beside the text.
    package var parts: BatchParts

    package init(text: [UInt8], gzip: [UInt8]? = nil, parts: BatchParts = BatchParts()) {
        self.text = text
        self.gzip = gzip
        self.parts = parts
    }
}
