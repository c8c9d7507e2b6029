// SPDX-License-Identifier: Apache-2.0
import Delivery
import VakaModel

extension Client {
    func identify(_ user: Vaka.User?) {
        let values = user.map { $0.values(pseudonyms) } ?? []
        state.withLock { $0.user = values.isEmpty ? nil : Dictionary(uniqueKeysWithValues: values) }
        guard let core else { return }
        core.clear(.user)
        for (key, value) in values {
            switch value {
            case .object(let other): for (name, text) in other { core.set(.user, "\(key).\(name)", text.string) }
            case .integer(let number): core.set(.user, key, String(number))
            default: core.set(.user, key, value.string)
            }
        }
    }
}

/// Stand-ins for what would tell who a person is: the same for the same text and salt.
struct Pseudonyms: Sendable {
    let salt: String

    /// Of programs that are given none: other keys make other pseudonyms.
    static func salt(ofKey key: String) -> String { Digest.sha256("vaka pseudonyms\n\(key)") }

    /// However the address is written.
    func email(_ text: String) -> String {
        Digest.hmac(key: salt, text.filter { !$0.isWhitespace }.lowercased())
    }

    /// However the number is grouped.
    func phoneNumber(_ text: String) -> String {
        Digest.hmac(key: salt, text.filter { $0.isASCII && ($0.isNumber || $0 == "+") })
    }
}

extension Vaka.User {
    /// As documents name them; `id` first.
    fileprivate func values(_ pseudonyms: Pseudonyms) -> [(String, JSONValue)] {
        let isHashed = isPIIHashed ?? true
        let values: [(String, JSONValue?)] = [
            ("id", userId.map { .string($0) }),
            ("gender", gender.map { .string($0.rawValue) }),
            ("year_of_birth", yearOfBirth.map { .integer(Int64($0)) }),
            ("display_name", displayName.map { .string($0) }),
            isHashed
                ? ("email_hash", email.map { .string(pseudonyms.email($0)) }) : ("email", email.map { .string($0) }),
            isHashed
                ? ("phone_number_hash", phoneNumber.map { .string(pseudonyms.phoneNumber($0)) })
                : ("phone_number", phoneNumber.map { .string($0) }),
            ("other", other.flatMap { $0.isEmpty ? nil : .object($0.mapValues { .string($0) }) }),
        ]
        return values.compactMap { key, value in value.map { (key, $0) } }
    }
}
