// SPDX-License-Identifier: Apache-2.0

/// A word of the documents that a later version may add to: unknown words are kept as they came.
public protocol OpenEnum: RawRepresentable<String>, Codable, Hashable, Sendable, CustomStringConvertible {
    init(rawValue: String)
}

extension OpenEnum {
    public var description: String { rawValue }

    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
