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

    private enum Slot: Hashable {
        case one(Key)
        /// Shared by those for which there was no slot.
        case overflow
    }

    private struct Window {
        var began: ContinuousClock.Instant
        var suppressed = 0
    }

    static let mostSlots = 64
    static let window = Duration.seconds(600)

    private let windows = Mutex<[Slot: Window]>([:])

    /// Of a record that was refused: how many were held back since it was told before, 0 where none were; nil where it is
    /// to be held back itself.
    func take(_ key: Key, now: ContinuousClock.Instant = .now) -> Int? {
        windows.withLock { windows in
            let slot = Self.slot(key, &windows, now)
            guard let last = windows[slot], now - last.began < Self.window else {
                defer { windows[slot] = Window(began: now) }
                return windows[slot]?.suppressed ?? 0
            }
            windows[slot]?.suppressed += 1
            return nil
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
