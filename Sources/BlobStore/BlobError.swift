// SPDX-License-Identifier: Apache-2.0

/// Why a blob cannot be put or had; the text says what to do.
package struct BlobError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// No answer, or one that it cannot answer now.
        case away
        /// It does not let this caller in.
        case refused
        /// It is reached, and has no such bucket, or another region.
        case misplaced
        /// There is no such blob.
        case absent
        /// What is there is not what the caller thinks.
        case changed
        /// What came is not what was put.
        case damaged
        /// This machine's own disk or library fails.
        case local
    }

    package let code: Code
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Nothing is known of the blob: it may be there.
    package var isNoAnswer: Bool { [.away, .refused, .misplaced].contains(code) }
}
