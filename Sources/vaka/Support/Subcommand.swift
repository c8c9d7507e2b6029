// SPDX-License-Identifier: Apache-2.0

/// One word after `vaka`: its manual, from which its options are parsed, and its work.
protocol Subcommand: Sendable {
    static var name: String { get }
    static var manual: Manual { get }
    static func run(_ options: ParsedOptions) throws
}

/// One that is the service's own executable's: it parses its own options.
protocol ServerSubcommand: Subcommand {
    /// What comes before the user's words.
    static var serverWords: [String] { get }
}

extension ServerSubcommand {
    static func run(_ options: ParsedOptions) throws {}
}

/// Wrong usage: exit status 2.
struct UsageError: Error, CustomStringConvertible {
    let message: String
    init(_ message: String) { self.message = message }
    var description: String { message }
}

/// The work failed: exit status 1.
struct CommandError: Error, CustomStringConvertible {
    let message: String
    init(_ message: String) { self.message = message }
    var description: String { message }
}

/// Some of the work was done and is on standard output, some failed: exit status 1.
struct PartialFailure: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}
