// SPDX-License-Identifier: Apache-2.0
import EventStore
import Synchronization
import VakaModel

/// Items of the spool that wait for the store of images to answer. They stay in the spool, and are claimed meanwhile; a
/// restart lets all of them go. Thread-safe.
final class HeldItems: Sendable {
    private static let most = 2000

    private let store: any EventStore
    private let patience: Int64
    private let held = Mutex<[Int64: Timestamp]>([:])

    /// - Parameter seconds: from when an item came.
    init(store: any EventStore, seconds: Int) {
        self.store = store
        patience = Int64(seconds) * 1000
    }

    var count: Int { held.withLock { $0.count } }

    /// Whether it may wait still.
    func mayWait(_ item: SpoolItem) -> Bool {
        store.now.milliseconds < item.receivedAt.milliseconds + patience && count < Self.most
    }

    func hold(_ item: SpoolItem) {
        held.withLock { held in
            held[item.sequence] = Timestamp(milliseconds: item.receivedAt.milliseconds + patience)
        }
    }

    /// Lets all go, or those that have waited long enough. True when there were such.
    func release(all: Bool) -> Bool {
        let now = store.now
        let due = held.withLock { held in
            let due = held.filter { all || $0.value.milliseconds <= now.milliseconds }.keys
            for sequence in due { held[sequence] = nil }
            return Array(due)
        }
        due.forEach(store.release(sequence:))
        return !due.isEmpty
    }
}
