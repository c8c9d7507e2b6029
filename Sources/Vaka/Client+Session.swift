// SPDX-License-Identifier: Apache-2.0
import Delivery
import VakaModel

extension Client {
    func beginSession() {
        sessionsAreOver.withLock { isOver in if !isOver { begin() } }
    }

    /// None begins afterwards.
    func endSessions(at time: Timestamp) {
        sessionsAreOver.withLock { isOver in
            end(at: time)
            isOver = true
        }
    }

    private func begin() {
        let tracker = SessionTracker(
            id: BatchQueue.newID(), started: timekeeper.time, rate: sessionRate,
            window: options.sessionMode.length)
        state.withLock { $0.session = tracker }
        endWindowLater(tracker)
        guard tracker.isTold else {
            note(.sampleRate, kind: ItemKind.session.rawValue)
            return
        }
        core?.set(.session, "id", tracker.id)
        core?.set(.session, "started", tracker.started.description)
        core?.set(.session, "status", SessionStatus.ok.rawValue)
        core?.set(.session, "window_s", tracker.window.map { "\($0 / .seconds(1))" })
        core?.set(.session, "sample_rate", tracker.rate.told.map { "\($0)" })
        add(.session(tracker.session(options)))
        takeCapabilities()
    }

    private func end(at time: Timestamp) {
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
        let isLeft = sessionsAreOver.withLock { isOver in
            guard !isOver else { return false }
            endOutOfUse()
            let time = timekeeper.time
            let hasSession = state.withLock { state in
                state.session?.setActive(active, at: time)
                return state.session != nil
            }
            if active && !hasSession { begin() }
            return !active && hasSession
        }
        if isLeft { endLater() }
    }

    /// A window ends when its time is over, and the next begins.
    private func endWindowLater(_ tracker: SessionTracker) {
        guard let window = tracker.window else { return }
        scheduler.write(after: window) { [weak self] in self?.beginWindow(after: tracker) }
    }

    private func beginWindow(after last: SessionTracker) {
        sessionsAreOver.withLock { isOver in
            guard !isOver, state.withLock({ $0.session?.id == last.id }) else { return }
            end(at: timekeeper.time)
            begin()
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
            guard let self, sessionsAreOver.withLock({ _ in endOutOfUse() }) else { return }
            flush()
        }
    }

    /// Whether there was one to end.
    @discardableResult
    private func endOutOfUse() -> Bool {
        let time = timekeeper.time
        let isOver = state.withLock { $0.session?.isOver(at: time, timeout: options.sessionTimeout) ?? false }
        if isOver { end(at: time) }
        return isOver
    }
}
