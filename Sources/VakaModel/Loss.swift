// SPDX-License-Identifier: Apache-2.0

/// Something that could not be captured, kept or resolved, and why.
public struct Loss: Codable, Hashable, Sendable {
    public var what: String
    public var why: String

    public init(what: String, why: String) {
        self.what = what
        self.why = why
    }

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case what, why
    }
}
