// SPDX-License-Identifier: Apache-2.0

/// What a missing or null key is read as.
public protocol DefaultProviding {
    static var absent: Self { get }
}

extension Array: DefaultProviding { public static var absent: [Element] { [] } }
extension Dictionary: DefaultProviding { public static var absent: [Key: Value] { [:] } }
extension UInt64: DefaultProviding { public static var absent: UInt64 { 0 } }
extension Bool: DefaultProviding { public static var absent: Bool { false } }

/// A value whose key may be missing in a document of another program or of an older version.
@propertyWrapper
public struct Defaulted<Wrapped: DefaultProviding> {
    public var wrappedValue: Wrapped

    public init(wrappedValue: Wrapped) {
        self.wrappedValue = wrappedValue
    }
}

extension Defaulted: Sendable where Wrapped: Sendable {}
extension Defaulted: Equatable where Wrapped: Equatable {}
extension Defaulted: Hashable where Wrapped: Hashable {}

extension Defaulted: Encodable where Wrapped: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try wrappedValue.encode(to: encoder)
    }
}

extension Defaulted: Decodable where Wrapped: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? .absent : try container.decode(Wrapped.self)
    }
}

extension KeyedDecodingContainer {
    public func decode<Wrapped: Decodable & DefaultProviding>(
        _ type: Defaulted<Wrapped>.Type, forKey key: Key
    ) throws -> Defaulted<Wrapped> {
        try decodeIfPresent(type, forKey: key) ?? Defaulted(wrappedValue: .absent)
    }
}
