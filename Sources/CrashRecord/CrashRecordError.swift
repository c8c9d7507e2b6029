// SPDX-License-Identifier: Apache-2.0

/// Why a crash record or a run file could not be read at all. Lesser damage is no error: it is told in the result.
public struct CrashRecordError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Sendable {
        case unreadable
        case tooLarge = "too_large"
        case notARecord = "not_a_record"
        case empty
        case newerVersion = "newer_version"
        case unsupportedArchitecture = "unsupported_architecture"
        case nothingReadable = "nothing_readable"
    }

    public let code: Code
    /// What is wrong, where, and what to do.
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
