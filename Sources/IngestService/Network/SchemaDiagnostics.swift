// SPDX-License-Identifier: Apache-2.0
import Synchronization
import VakaModel

/// Tells of network records in versions that are not read, and not for each: once in ten minutes for each installation,
/// application and version. A bounded number of those is told apart; all others are told of together. Thread-safe.
final class SchemaDiagnostics: Sendable {
    struct Key: Hashable {
        var installID: String
        var application: String
        var version: String
    }

    fileprivate enum Slot: Hashable {
        case one(Key)
        /// Shared by those for which there was no slot.
        case overflow
    }

    fileprivate struct Window {
        var began: ContinuousClock.Instant
        var suppressed = 0
    }

    static let mostSlots = 64
    static let window = Duration.seconds(600)

    private let windows = Mutex<[Slot: Window]>([:])

    /// What became of a record that was refused.
    struct Notice {
        fileprivate let slot: Slot
        /// Of one that is told: when its window began, and the one that was before.
        fileprivate let began: ContinuousClock.Instant
        fileprivate let before: Window?
        /// How many were held back since it was told before, 0 where none were; nil of one that is held back itself.
        let suppressed: Int?
    }

    /// To be called for each record that was refused.
    func take(_ key: Key, now: ContinuousClock.Instant = .now) -> Notice {
        windows.withLock { windows in
            let slot = Self.slot(key, &windows, now)
            guard let last = windows[slot], now - last.began < Self.window else {
                let before = windows[slot]
                windows[slot] = Window(began: now)
                return Notice(slot: slot, began: now, before: before, suppressed: before?.suppressed ?? 0)
            }
            windows[slot]?.suppressed += 1
            return Notice(slot: slot, began: last.began, before: nil, suppressed: nil)
        }
    }

    /// The batch of these records was not kept, and is sent again: as if they had not come. What others held back
    /// meanwhile is told with the next.
    func undo(_ notices: [Notice]) {
        windows.withLock { windows in
            // The last one first: what it was counted in began with an earlier one.
            for notice in notices.reversed() {
                guard var window = windows[notice.slot] else { continue }
                if notice.suppressed == nil {
                    window.suppressed = max(0, window.suppressed - 1)
                } else if window.began == notice.began {
                    window.suppressed += notice.before?.suppressed ?? 0
                    // Long ago, so that the next is told.
                    window.began = notice.before?.began ?? notice.began - Self.window
                }
                windows[notice.slot] = window
            }
        }
    }

    private static func slot(_ key: Key, _ windows: inout [Slot: Window], _ now: ContinuousClock.Instant) -> Slot {
        let own = Slot.one(key)
        let most = mostSlots - 1
        func isFull() -> Bool { windows.keys.count { $0 != .overflow } >= most }
        if windows[own] != nil || !isFull() { return own }
        // Nothing is lost of those whose time is over and of which nothing was held back.
        windows = windows.filter { $0.key == .overflow || $0.value.suppressed > 0 || now - $0.value.began < window }
        return isFull() ? .overflow : own
    }
}
