// SPDX-License-Identifier: Apache-2.0

/// Why a file cannot be used as a debug image.
package struct DebugImageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is; its raw value is the code that programs may rely on.
    package enum Code: String, Codable, Sendable {
        /// The file could not be opened or read.
        case unreadable
        /// The file is something else than ELF.
        case notELF = "not_elf"
        /// The file ends before what its own headers promise.
        case truncated
        /// The headers contradict themselves.
        case malformed
        /// ELF, but of a kind that has no addresses to look up (an object file, a core).
        case unsupported
        /// The image has no build id, and this use needs one.
        case noBuildID = "no_build_id"
        /// The image store could not be written.
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
