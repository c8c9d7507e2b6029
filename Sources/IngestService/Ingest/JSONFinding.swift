// SPDX-License-Identifier: Apache-2.0

/// Which parts of a document are looked into.
indirect enum JSONWalk: Sendable {
    case value
    /// An object, and which of its members are found.
    case object([String: JSONWalk])
    /// An array of such objects; those beyond the first `most` are checked and counted, and not found.
    case array([String: JSONWalk], most: Int)
}

/// Where a value stands in a text, and what it holds where that was looked into.
struct JSONFinding {
    var range: Range<Int>
    /// Of an object, by name as it is written.
    var members: [String: JSONFinding]?
    var elements: [JSONFinding]?
    /// How many elements an array has, those that were not found too.
    var elementCount = 0

    subscript(_ name: String) -> JSONFinding? { members?[name] }
}
