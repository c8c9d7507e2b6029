// SPDX-License-Identifier: Apache-2.0
import Dispatch

/// Work whose time comes later.
enum Later {
    private static let queue = DispatchQueue(label: "vaka.network.faults")

    static func run(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        let nanoseconds = Int(clamping: Int64(min(delay, .seconds(86_400)) / .nanoseconds(1)))
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: work)
    }
}
