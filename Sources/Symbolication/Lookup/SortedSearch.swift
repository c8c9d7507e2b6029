// SPDX-License-Identifier: Apache-2.0

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
