// SPDX-License-Identifier: Apache-2.0

/// A key of any name, for objects whose key says what they are: unknown ones are seen, too.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
