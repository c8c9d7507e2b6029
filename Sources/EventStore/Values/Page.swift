// SPDX-License-Identifier: Apache-2.0

/// Where a list goes on: a position that stays right while rows are added.
package struct Cursor: Hashable, Sendable {
    package var first: Int64
    package var second: Int64

    package init(_ first: Int64, _ second: Int64 = 0) {
        self.first = first
        self.second = second
    }

    /// Reads what `text` wrote; nil for anything else.
    package init?(text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard let head = parts.first, let first = Int64(head) else { return nil }
        guard parts.count == 2 else {
            self.init(first)
            return
        }
        guard let second = Int64(parts[1]) else { return nil }
        self.init(first, second)
    }

    package var text: String { "\(first).\(second)" }
}

/// A part of a list.
package struct Page<Element: Sendable>: Sendable {
    package var items: [Element]
    /// Nil at the end.
    package var next: Cursor?

    init(items: [Element], next: Cursor?) {
        self.items = items
        self.next = next
    }

    func map<Other>(_ transform: (Element) -> Other) -> Page<Other> {
        Page<Other>(items: items.map(transform), next: next)
    }

    /// Cuts `rows`, of which one more than `limit` was asked for.
    init(_ rows: [Element], limit: Int, cursor: (Element) -> Cursor) {
        items = Array(rows.prefix(limit))
        next = rows.count > limit ? items.last.map(cursor) : nil
    }
}
