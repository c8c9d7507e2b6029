// SPDX-License-Identifier: Apache-2.0

extension Event {
    private static let longestUser = 200

    /// What tells one user from another.
    package var affectedUser: String? { Self.affectedUser(user) }

    package static func asUser(installation: String) -> String { "install " + installation }

    /// The id, else another name that the program gave. Nil where it gave none.
    package static func affectedUser(_ user: [String: JSONValue]?) -> String? {
        for field in ["id", "email", "username", "ip_address"] {
            let text: String? =
                switch user?[field] {
                case .string(let value): value
                case .integer(let value): String(value)
                default: nil
                }
            if let text, !text.isEmpty { return String(text.unicodeScalars.prefix(longestUser)) }
        }
        return nil
    }
}
