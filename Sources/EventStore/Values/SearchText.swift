// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// A piece of an event that people may search for.
package struct SearchText: Codable, Hashable, Sendable {
    package enum Field: String, Codable, Sendable, CaseIterable {
        case title, function, file, message, tag, breadcrumb
    }

    package var field: Field
    package var text: String

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case field, text
    }

    package init(_ field: Field, _ text: String) {
        self.field = field
        self.text = text
    }

    /// The same on every machine and at every start (FNV-1a, 64 bits).
    var hash: Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in field.rawValue.utf8 + [0] + text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return Int64(bitPattern: hash)
    }
}

extension SearchText.Field: JSONReadable, JSONWritable {}

extension SearchText: JSONReadable, JSONWritable {
    package init(from json: inout JSONReader) throws {
        var field: Field?
        var text: String?
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .field: field = try json.value()
            case .text: text = try json.value()
            }
        }
        self.init(try json.require(field, CodingKeys.field), try json.require(text, CodingKeys.text))
    }

    package func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.member(CodingKeys.field, field)
            try json.member(CodingKeys.text, text)
        }
    }
}
