// SPDX-License-Identifier: Apache-2.0
package import EventStore
import FoundationEssentials
import Glibc
package import VakaModel

/// Delivers what waits, on threads of its own. An alert is taken for a time: who takes it and dies leaves it to the next. It
/// arrives once unless the server dies, or the answer is lost, between the delivery and the note of it; then it arrives with
/// the same id again.
package final class AlertDispatcher: Sendable {
    private struct State {
        var isStopping = false
        /// Counts calls of `wake`.
        var wakes = 0
        var running = 0
    }

    package enum Outcome: Sendable {
        case delivered
        case failed(String, isLast: Bool)
    }

    private static let threads = 2
    private static let pause = 5.0
    private static let watchPause = 60.0
    private static let leaseSeconds = 120.0
    /// Those that are done.
    private static let keptDays: Int64 = 30

    private let state = Monitor(State())
    private let store: any EventStore
    private let channels: AlertChannels
    private let note: @Sendable (Outcome, Alert) -> Void
    private let log: @Sendable (String) -> Void

    package init(
        store: any EventStore, channels: AlertChannels, note: @escaping @Sendable (Outcome, Alert) -> Void,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.store = store
        self.channels = channels
        self.note = note
        self.log = log
    }

    /// Each body is to run on a thread that may wait.
    package var bodies: [@Sendable () -> Void] {
        let works = Array(repeating: deliverAll, count: Self.threads) + [watchAll]
        state.withLock { $0.running = works.count }
        return works.map { work in
            { [state] in
                work()
                state.update { $0.running -= 1 }
            }
        }
    }

    /// Waits for what is under way, which is not long: nothing uses the store afterwards.
    package func stop() {
        state.update { $0.isStopping = true }
        _ = state.wait(seconds: 35) { $0.running == 0 ? true : nil }
    }

    /// Something may wait.
    package func wake() {
        state.update { $0.wakes += 1 }
    }

    @Sendable private func deliverAll() {
        var seen = 0
        while true {
            do {
                while try deliverNext() {}
            } catch {
                log("alerts cannot be read: \(error)")
            }
            let stops = state.wait(seconds: Self.pause) { state -> Bool? in
                if state.isStopping { return true }
                guard state.wakes != seen else { return nil }
                seen = state.wakes
                return false
            }
            if stops == true { return }
        }
    }

    /// False when nothing is due, or it is to stop.
    private func deliverNext() throws(StoreError) -> Bool {
        guard !state.withLock({ $0.isStopping }) else { return false }
        let now = store.now
        let lease = Timestamp(milliseconds: now.milliseconds + Int64(Self.leaseSeconds * 1000))
        guard let alert = try store.claimAlerts(most: 1, now: now, lease: lease).first else { return false }
        deliver(alert)
        return true
    }

    private func deliver(_ alert: Alert) {
        do throws(AlertFailure) {
            try channels.deliver(alert)
            finish(alert, .delivered, error: nil, next: nil)
            note(.delivered, alert)
        } catch {
            let pause = AlertSchedule.pause(after: alert.attempts + 1, error)
            let next = pause.map { Timestamp(milliseconds: store.now.milliseconds + Int64($0 * 1000)) }
            let reason = String(error.description.prefix(500))
            finish(alert, next == nil ? .givenUp : .waiting, error: reason, next: next)
            note(.failed(reason, isLast: next == nil), alert)
        }
    }

    private func finish(_ alert: Alert, _ outcome: Alert.State, error: String?, next: Timestamp?) {
        do throws(StoreError) {
            try store.finishAttempt(alert.id, state: outcome, error: error, next: next, now: store.now)
        } catch {
            log("what became of an alert cannot be kept: \(error)")
        }
    }

    @Sendable private func watchAll() {
        let watch = AlertWatch(store: store)
        while true {
            do throws(StoreError) {
                if try watch.round(now: store.now) > 0 { wake() }
                let now = store.now.milliseconds
                _ = try store.removeAlerts(
                    before: Timestamp(milliseconds: now - Self.keptDays * CountUnit.day.milliseconds))
            } catch {
                log("nothing can be found to alert of: \(error)")
            }
            if state.wait(seconds: Self.watchPause, for: { $0.isStopping ? true : nil }) == true { return }
        }
    }
}
