// SPDX-License-Identifier: Apache-2.0

/// Which versions of a network record are read: none told (which is 0), 0 and the current one.
public enum NetworkSchema {
    public static let supportedVersion = NetworkRequestEvent.currentSchemaVersion
    /// Of a version that is not, so many characters are repeated.
    public static let longestVersion = 32

    private enum Key: String, JSONKey {
        static let names = JSONNames(Self.self)
        case schemaVersion
    }

    /// The version of the object that comes next, which is not read. Of several that are told the last counts.
    static func version(in json: JSONReader) throws -> Int {
        var json = json
        var version = 0
        var refused: UnsupportedNetworkSchema?
        try json.openObject()
        while try json.next(Key.self) != nil {
            do {
                (version, refused) = (try self.version(&json), nil)
            } catch let error as UnsupportedNetworkSchema {
                refused = error
            }
        }
        if let refused { throw refused }
        return version
    }

    private static func version(_ json: inout JSONReader) throws -> Int {
        if json.kind == .number {
            let number = try json.number()
            if let version = number.integer(Int.self), (0...supportedVersion).contains(version) { return version }
            throw UnsupportedNetworkSchema(told(number.text))
        }
        if json.kind == .string { throw UnsupportedNetworkSchema(try json.text()) }
        let start = json.lexer.position
        try json.skip()
        throw UnsupportedNetworkSchema(told(json.lexer.bytes[start..<json.lexer.position]))
    }

    private static func told(_ text: ArraySlice<UInt8>) -> String {
        String(decoding: text.prefix(4 * (longestVersion + 1)), as: UTF8.self)
    }
}

/// A network record's version is none that is read.
public struct UnsupportedNetworkSchema: Error, Hashable, Sendable {
    /// As it came, of at most 32 characters; one that was longer ends with `…`.
    public let receivedVersion: String

    init(_ version: String) {
        let longest = NetworkSchema.longestVersion
        let scalars = version.unicodeScalars
        let isLong = scalars.dropFirst(longest).first != nil
        receivedVersion = isLong ? String(String.UnicodeScalarView(scalars.prefix(longest - 1))) + "…" : version
    }
}
