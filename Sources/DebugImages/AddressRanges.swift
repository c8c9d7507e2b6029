// SPDX-License-Identifier: Apache-2.0

/// A set of addresses, gathered range by range.
struct AddressRanges {
    private var ranges: [Range<UInt64>] = []
    private var isSorted = true

    /// Added ranges are joined when there are this many, so that crafted ones cost what they cover, not what they are.
    private static let mostUnjoined = 1 << 20
    private var nextJoin = Self.mostUnjoined

    init(_ ranges: some Sequence<Range<UInt64>> = []) {
        for range in ranges { add(range) }
    }

    var isEmpty: Bool { ranges.isEmpty }

    mutating func add(_ range: Range<UInt64>) {
        guard !range.isEmpty else { return }
        if let last = ranges.last, range.lowerBound <= last.upperBound, range.lowerBound >= last.lowerBound {
            if range.upperBound > last.upperBound { ranges[ranges.count - 1] = last.lowerBound..<range.upperBound }
            return
        }
        if let last = ranges.last, range.lowerBound < last.lowerBound { isSorted = false }
        ranges.append(range)
        if ranges.count >= nextJoin {
            join()
            nextJoin = max(Self.mostUnjoined, 2 * ranges.count)
        }
    }

    /// The number of addresses.
    mutating func count() -> UInt64 {
        join()
        return ranges.reduce(0) { $0 &+ ($1.upperBound - $1.lowerBound) }
    }

    /// The number of addresses that are in the other set, too.
    mutating func count(within other: inout AddressRanges) -> UInt64 {
        join()
        other.join()
        var (total, one, two): (UInt64, Int, Int) = (0, 0, 0)
        while one < ranges.count, two < other.ranges.count {
            let (a, b) = (ranges[one], other.ranges[two])
            let start = max(a.lowerBound, b.lowerBound)
            let end = min(a.upperBound, b.upperBound)
            if start < end { total &+= end - start }
            if a.upperBound <= b.upperBound { one += 1 } else { two += 1 }
        }
        return total
    }

    private mutating func join() {
        if !isSorted { ranges.sort { $0.lowerBound < $1.lowerBound } }
        isSorted = true
        var joined: [Range<UInt64>] = []
        joined.reserveCapacity(ranges.count)
        for range in ranges {
            if let last = joined.last, range.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        ranges = joined
    }
}
