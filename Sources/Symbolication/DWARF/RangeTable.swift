// SPDX-License-Identifier: Apache-2.0

/// Values by address range, where ranges may overlap: sorted by start, with the highest end so far beside each.
struct RangeTable<Value> {
    private struct Entry {
        var range: Range<UInt64>
        var value: Value
        var highestEnd: UInt64
    }

    private var entries: [Entry] = []

    init(_ pairs: [(Range<UInt64>, Value)]) {
        // Of equal ranges the one listed first stands last, to be found first.
        let sorted = pairs.enumerated().sorted { one, other in
            let (a, b) = (one.element.0, other.element.0)
            if a.lowerBound != b.lowerBound { return a.lowerBound < b.lowerBound }
            return a.upperBound != b.upperBound ? a.upperBound > b.upperBound : one.offset > other.offset
        }
        var highest: UInt64 = 0
        entries.reserveCapacity(sorted.count)
        for (_, pair) in sorted {
            highest = max(highest, pair.0.upperBound)
            entries.append(Entry(range: pair.0, value: pair.1, highestEnd: highest))
        }
    }

    var isEmpty: Bool { entries.isEmpty }

    /// The values whose ranges hold an address, the one that starts last first; at most `limit` of them.
    func values(at address: UInt64, limit: Int = 16) -> [Value] {
        var found: [Value] = []
        var index = entries.upperBound { $0.range.lowerBound <= address }
        while index > 0, found.count < limit {
            index -= 1
            let entry = entries[index]
            if entry.highestEnd <= address { break }
            if entry.range.contains(address) { found.append(entry.value) }
        }
        return found
    }
}

extension Array {
    /// The first index whose element does not satisfy a predicate that holds for a prefix.
    func upperBound(_ belongsBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if belongsBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
