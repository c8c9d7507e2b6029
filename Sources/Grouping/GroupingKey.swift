// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// One way to recognise an issue again. Keys of every kind live in one table, unique by project, version, kind and value.
package struct GroupingKey: Codable, Hashable, Sendable {
    /// `F` functions, `A` addresses, `M` message, `C` the client's own fingerprint.
    package enum Kind: String, Codable, Sendable {
        case functions = "F"
        case addresses = "A"
        case message = "M"
        case client = "C"
    }

    package var kind: Kind
    /// The hash of the material: 32 hexadecimal digits.
    package var value: String
    /// What was hashed, for people.
    package var material: [String]

    package init(kind: Kind, material: [String]) {
        self.kind = kind
        self.material = material
        value = SHA256.fingerprint([kind.rawValue] + material)
    }

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case kind, value, material
    }
}
