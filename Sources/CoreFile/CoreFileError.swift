// SPDX-License-Identifier: Apache-2.0

/// Why an ELF core file could not be read or written.
package struct CoreFileError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case unreadable
        case notACore = "not_a_core"
        case unsupportedArchitecture = "unsupported_architecture"
        case truncated
        case noThreads = "no_threads"
        case tooLarge = "too_large"
        case unwritable
    }

    package let code: Code
    package let message: String

    package var description: String { message }
}
