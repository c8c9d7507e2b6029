// SPDX-License-Identifier: Apache-2.0
import Delivery
import VakaModel

extension Client {
    func beginSession() {
        let tracker = SessionTracker(id: BatchQueue.newID(), started: timekeeper.time, rate: sessionRate)
        state.withLock { $0.session = tracker }
        guard tracker.isTold else { return note(.sampleRate, kind: ItemKind.session.rawValue) }
        core?.set(.session, "id", tracker.id)
        core?.set(.session, "started", tracker.started.description)
        core?.set(.session, "status", SessionStatus.ok.rawValue)
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
        guard options.sessionTracking else { return }
        endSessionOutOfUse()
        let time = timekeeper.time
        let hasSession = state.withLock { state in
            state.session?.setActive(active, at: time)
            return state.session != nil
        }
        if active && !hasSession { beginSession() }
        if !active && hasSession { endLater() }
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
