// SPDX-License-Identifier: Apache-2.0

/// Why a source bundle cannot be used or made.
package struct SourceBundleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is; its raw value is the code that programs may rely on.
    package enum Code: String, Codable, Sendable {
        /// The file could not be opened, read or written.
        case unreadable
        /// The file is something else than a source bundle.
        case notABundle = "not_a_bundle"
        /// The bundle contradicts itself or this format's rules.
        case malformed
        /// A version that this program does not know.
        case newerVersion = "newer_version"
        /// More files or bytes than a bundle may hold.
        case tooLarge = "too_large"
        /// There is no such file in it.
        case notFound = "not_found"
        /// The folder of bundles could not be written.
        case storage
    }

    package let code: Code
    package let path: String
    /// What is wrong, where, and how to mend it.
    package let message: String

    package init(_ code: Code, path: String, _ message: String) {
        self.code = code
        self.path = path
        self.message = message
    }

    package var description: String { "\(path): \(message)" }
}
