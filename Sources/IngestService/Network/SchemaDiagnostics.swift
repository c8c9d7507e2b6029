// SPDX-License-Identifier: Apache-2.0
import Synchronization
import VakaModel

/// Tells of network records in versions that are not read, and not for each: once in ten minutes for each installation,
/// application and version. A bounded number of those is told apart; all others of an application are told of together.
/// Thread-safe.
final class SchemaDiagnostics: Sendable {
    struct Key: Hashable {
        var installID: String
        var application: String
        var version: String
    }

    fileprivate enum Slot: Hashable {
        case one(Key)
        /// Shared by those of an application for which there was no slot; nil: by all further applications.
        case overflow(String?)

        var isOverflow: Bool {
            if case .overflow = self { true } else { false }
        }

        var application: String? {
            switch self {
            case .one(let key): key.application
            case .overflow(let application): application
            }
        }
    }

    fileprivate struct Window {
        var began: ContinuousClock.Instant
        /// When it was told last. What was held back since `since` is counted here: that is earlier where what was told
        /// was undone.
        var told: ContinuousClock.Instant
        var since: ContinuousClock.Instant
        var suppressed = 0
    }

    fileprivate struct State {
        var windows: [Slot: Window] = [:]
        /// What was held back in slots that were given away, by application: told with its next.
        var owed: [String: Int] = [:]
    }

    static let mostSlots = 64
    /// Those that have a shared slot of their own.
    static let mostApplications = 200
    static let window = Duration.seconds(600)

    private let state = Mutex(State())

    /// What became of a record that was refused.
    struct Notice {
        fileprivate let slot: Slot
        /// When the window began that it told of or was counted in.
        fileprivate let began: ContinuousClock.Instant
        /// Of one that is told: the window that was before.
        fileprivate let before: Window?
        /// How many were held back since it was told before, 0 where none were; nil of one that is held back itself.
        let suppressed: Int?
    }

    /// To be called for each record that was refused.
    func take(_ key: Key, now: ContinuousClock.Instant = .now) -> Notice {
        state.withLock { state in
            let slot = state.slot(key, now)
            let before = state.windows[slot]
            if let before, now - before.began < Self.window {
                state.windows[slot]?.suppressed += 1
                return Notice(slot: slot, began: before.told, before: nil, suppressed: nil)
            }
            let owed = state.owed.removeValue(forKey: key.application) ?? 0
            state.windows[slot] = Window(began: now, told: now, since: now)
            return Notice(slot: slot, began: now, before: before, suppressed: (before?.suppressed ?? 0) + owed)
        }
    }

    /// The batch of these records was not kept, and is sent again: as if they had not come. What others held back
    /// meanwhile is told with the next.
    func undo(_ notices: [Notice]) {
        state.withLock { state in
            // The last one first: what it was counted in began with an earlier one.
            for notice in notices.reversed() {
                guard var window = state.windows[notice.slot] else { continue }
                if let suppressed = notice.suppressed {
                    guard window.began == notice.began else { continue }
                    window.suppressed += suppressed
                    // Long ago, so that the next is told.
                    window.began = notice.before?.began ?? notice.began - Self.window
                    window.since = notice.before?.since ?? window.since
                } else if notice.began >= window.since, notice.began <= window.told {
                    window.suppressed = max(0, window.suppressed - 1)
                }
                state.windows[notice.slot] = window
            }
        }
    }
}

extension SchemaDiagnostics.State {
    fileprivate mutating func slot(
        _ key: SchemaDiagnostics.Key, _ now: ContinuousClock.Instant
    ) -> SchemaDiagnostics.Slot {
        let own = SchemaDiagnostics.Slot.one(key)
        if windows[own] != nil || !isFull { return own }
        giveAway(now)
        if !isFull { return own }
        let shared = SchemaDiagnostics.Slot.overflow(key.application)
        let isKnown = windows[shared] != nil
        return isKnown || windows.keys.count(where: \.isOverflow) < SchemaDiagnostics.mostApplications
            ? shared : .overflow(nil)
    }

    private var isFull: Bool { windows.keys.count { !$0.isOverflow } >= SchemaDiagnostics.mostSlots - 1 }

    /// The slots whose time is over. Nothing is lost of what they held back.
    private mutating func giveAway(_ now: ContinuousClock.Instant) {
        for (slot, window) in windows where now - window.began >= SchemaDiagnostics.window {
            if window.suppressed > 0 {
                guard let application = slot.application,
                    owed[application] != nil || owed.count < SchemaDiagnostics.mostApplications
                else { continue }
                owed[application, default: 0] += window.suppressed
            }
            windows[slot] = nil
        }
    }
}
