// SPDX-License-Identifier: Apache-2.0

/// Which parts of a document are looked into.
indirect enum JSONWalk: Sendable {
    case value
    /// An object, and which of its members are found.
    case object([String: JSONWalk])
    /// An array of such objects.
    case array([String: JSONWalk])
}

/// Where a value stands in a text, and what it holds where that was looked into.
struct JSONFinding {
    var range: Range<Int>
    /// Of an object, by name as it is written.
    var members: [String: JSONFinding]?
    var elements: [JSONFinding]?

    subscript(_ name: String) -> JSONFinding? { members?[name] }
}
