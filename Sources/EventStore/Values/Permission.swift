// SPDX-License-Identifier: Apache-2.0

/// What a caller may do in a project; the words are also the scopes of tokens.
package enum Permission: String, CaseIterable, Sendable {
    /// Reads issues, events and what belongs to them.
    case read
    /// Reads debug images, as gdb and elfutils do.
    case images
    /// Decides about issues.
    case write
    /// Gives debug images, sources and commits of releases.
    case upload
    /// Reads the server's numbers.
    case metrics
    /// Changes the project's settings, keys, tokens and members.
    case admin
    /// Everything in every project, and projects and users themselves.
    case server

    /// What each gives with it.
    package var implied: Set<Permission> {
        switch self {
        case .read: [.read, .images]
        case .admin: [.read, .images, .write, .upload, .metrics, .admin]
        case .server: Set(Permission.allCases)
        case .images, .write, .upload, .metrics: [self]
        }
    }

    /// From the words of a token, with spaces between them; unknown ones give nothing.
    package static func set(of words: String) -> Set<Permission> {
        words.split(separator: " ").compactMap { Permission(rawValue: String($0)) }
            .reduce(into: []) { $0.formUnion($1.implied) }
    }
}
