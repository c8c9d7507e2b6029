// SPDX-License-Identifier: Apache-2.0

/// An optional that is written as `null` when absent, and read as absent when its key is missing.
///
/// The documents state every fact, unknown ones included; Swift's own coding of optionals leaves the key out.
@propertyWrapper
public struct ExplicitNull<Wrapped> {
    public var wrappedValue: Wrapped?

    public init(wrappedValue: Wrapped?) {
        self.wrappedValue = wrappedValue
    }
}

extension ExplicitNull: Sendable where Wrapped: Sendable {}
extension ExplicitNull: Equatable where Wrapped: Equatable {}
extension ExplicitNull: Hashable where Wrapped: Hashable {}

extension ExplicitNull: Encodable where Wrapped: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue {
            try container.encode(wrappedValue)
        } else {
            try container.encodeNil()
        }
    }
}

extension ExplicitNull: Decodable where Wrapped: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Wrapped.self)
    }
}

extension KeyedDecodingContainer {
    /// Chosen by synthesized decoding for every wrapped property: a missing key is an absent fact.
    public func decode<Wrapped: Decodable>(
        _ type: ExplicitNull<Wrapped>.Type, forKey key: Key
    ) throws -> ExplicitNull<Wrapped> {
        try decodeIfPresent(type, forKey: key) ?? ExplicitNull(wrappedValue: nil)
    }
}
