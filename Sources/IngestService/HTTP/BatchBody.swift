// SPDX-License-Identifier: Apache-2.0

/// The body of a request that brings a batch.
package struct BatchBody: Sendable {
    /// Decompressed.
    package var text: [UInt8]
    /// As it was sent, where that is gzip and small.
    package var gzip: [UInt8]?

    package init(text: [UInt8], gzip: [UInt8]? = nil) {
        self.text = text
        self.gzip = gzip
    }
}
