// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The last breadcrumbs, as many as the run file keeps.
struct BreadcrumbTail {
    static let limit = 128

    private var kept: [Breadcrumb] = []
    /// Where the next one goes, once the limit is reached.
    private var next = 0

    mutating func add(_ breadcrumb: Breadcrumb) {
        if kept.count < Self.limit {
            kept.append(breadcrumb)
        } else {
            kept[next] = breadcrumb
            next = (next + 1) % Self.limit
        }
    }

    /// Oldest first.
    var inOrder: [Breadcrumb] { Array(kept[next...] + kept[..<next]) }

    /// The last of several tails together; of the same moment, in the order of the tails.
    static func merged(_ tails: [BreadcrumbTail]) -> [Breadcrumb] {
        let all = tails.flatMap(\.inOrder)
        return Array((tails.count > 1 ? all.sorted { $0.timestamp < $1.timestamp } : all).suffix(limit))
    }
}
