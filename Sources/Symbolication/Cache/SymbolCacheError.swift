// SPDX-License-Identifier: Apache-2.0

/// Why a symbol cache cannot be read, made or kept.
package struct SymbolCacheError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The file could not be opened or read.
        case unreadable
        /// The file is something else than a symbol cache.
        case notACache = "not_a_cache"
        /// Of a later version of the format than this program knows.
        case newer
        /// The file ends before the cache does.
        case truncated
        /// The bytes are not as they were written.
        case damaged
        /// The file could not be written.
        case unwritable
        /// More memory would be needed than there is, or than is allowed.
        case outOfMemory = "out_of_memory"
    }

    package let code: Code
    package let path: String
    /// What is wrong and how to mend it.
    package let message: String

    package init(_ code: Code, path: String, _ message: String) {
        self.code = code
        self.path = path
        self.message = message
    }

    package var description: String { "\(path): \(message)" }
}
