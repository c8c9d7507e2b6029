// SPDX-License-Identifier: Apache-2.0
import Delivery
import VakaModel

extension Client {
    func beginSession() {
        let tracker = SessionTracker(
            id: BatchQueue.newID(), started: timekeeper.time, rate: sessionRate,
            window: options.sessionMode.length)
        state.withLock { $0.session = tracker }
        endWindowLater(tracker)
        guard tracker.isTold else { return note(.sampleRate, kind: ItemKind.session.rawValue) }
        core?.set(.session, "id", tracker.id)
        core?.set(.session, "started", tracker.started.description)
        core?.set(.session, "status", SessionStatus.ok.rawValue)
        core?.set(.session, "window_s", tracker.window.map { "\($0 / .seconds(1))" })
        core?.set(.session, "sample_rate", tracker.rate.told.map { "\($0)" })
        add(.session(tracker.session(options)))
    }

    func endSession(at time: Timestamp) {
        let tracker = state.withLock { state in
            defer { state.session = nil }
            return state.session
        }
        guard let tracker, tracker.isTold else { return }
        add(.session(tracker.session(options, ended: time)))
        core?.clear(.session)
    }

    func setActive(_ active: Bool) {
        guard options.sessionTracking, options.sessionMode == .program else { return }
        endSessionOutOfUse()
        let time = timekeeper.time
        let hasSession = state.withLock { state in
            state.session?.setActive(active, at: time)
            return state.session != nil
        }
        if active && !hasSession { beginSession() }
        if !active && hasSession { endLater() }
    }

    /// A window ends when its time is over, and the next begins.
    private func endWindowLater(_ tracker: SessionTracker) {
        guard let window = tracker.window else { return }
        scheduler.write(after: window) { [weak self] in
            guard let self, state.withLock({ $0.session?.id == tracker.id }) else { return }
            endSession(at: timekeeper.time)
            beginSession()
        }
    }

    func countRequest(_ outcome: Vaka.RequestOutcome) {
        let uptime = timekeeper.uptime
        let due = state.withLock { state -> [String: Int64]? in
            guard state.session?.isTold == true else { return nil }
            return state.session?.count(outcome, at: uptime)
        }
        guard let core, let due, let data = try? ModelCoding.encode(due) else { return }
        core.set(.session, "requests", String(decoding: data, as: UTF8.self))
    }

    private func endLater() {
        scheduler.write(after: options.sessionTimeout) { [weak self] in
            guard let self, endSessionOutOfUse() else { return }
            flush()
        }
    }

    /// Whether there was one to end.
    @discardableResult
    private func endSessionOutOfUse() -> Bool {
        let time = timekeeper.time
        let isOver = state.withLock { $0.session?.isOver(at: time, timeout: options.sessionTimeout) ?? false }
        if isOver { endSession(at: time) }
        return isOver
    }
}
