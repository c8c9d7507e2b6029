// SPDX-License-Identifier: Apache-2.0

/// A piece of an event that people may search for.
package struct SearchText: Codable, Hashable, Sendable {
    package enum Field: String, Codable, Sendable, CaseIterable {
        case title, function, file, message, tag, breadcrumb
    }

    package var field: Field
    package var text: String

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
