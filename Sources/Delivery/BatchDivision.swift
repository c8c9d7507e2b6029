// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Divides items into batches.
package enum BatchDivision {
    /// In order, by number and encoded size. Items too large even alone have shed what they could.
    package static func divide<Element>(
        _ elements: [Element], limits: DeliveryLimits, item: WritableKeyPath<Element, BatchItem>
    ) -> [[Element]] {
        var parts: [[Element]] = []
        var bytes = 0
        for original in elements {
            var element = original
            let (smaller, size) = Shedding.shrink(element[keyPath: item], toFit: limits.itemBytes)
            element[keyPath: item] = smaller
            if let last = parts.last, last.count < limits.batchItems, bytes + size <= limits.batchBytes {
                parts[parts.count - 1].append(element)
                bytes += size
            } else {
                parts.append([element])
                bytes = size
            }
        }
        return parts
    }
}
