// SPDX-License-Identifier: Apache-2.0
import Delivery
import Dispatch
import Synchronization
package import Vaka
package import VakaModel
package import VakaObservation

/// Takes frames while the SDK runs and the project wants them. Thread-safe: what changes is touched on its queue alone.
package final class Recorder: ScreenRecorder {
    let queue = DispatchQueue(label: "vaka.recording", qos: .utility)
    let state = Mutex(RecorderState())
    private let executor = HostExecutor()
    /// For the budget, which outlives each SDK's clock.
    private let clock = SystemTimekeeper()

    package init() {}

    package func attach(_ host: (any ObservationHost)?) {
        queue.async { [self] in
            state.withLock { state in
                state.host = host
                state.isNewScreen = true
                state.forgetAsked(at: clock.uptime)
                // Taps on the other host's screen are no taps on this one's.
                state.capture?.forgetScreen()
            }
            settle()
        }
    }

    package func request() {
        queue.async { [self] in
            let isWanted = state.withLock { state in
                guard state.capture != nil, state.host != nil else { return false }
                state.schedule.request()
                return true
            }
            if isWanted { plan() }
        }
    }

    package func tap(at point: ScreenPoint) {
        // The time of the tap, and not that of its turn.
        guard let link = state.withLock({ $0.link }) else { return }
        let uptime = link.timekeeper.uptime
        queue.async { [self] in
            let isKept = state.withLock { state in
                guard state.link === link, state.host != nil else { return false }
                return state.capture?.add(point, at: uptime) ?? false
            }
            if isKept { plan() }
        }
    }

    // MARK: The SDK

    package func started(_ link: RecordingLink) {
        queue.async { [self] in
            state.withLock { state in
                state.link = link
                // Named before there was a recorder; else the one of before the SDK was stopped.
                state.screenName = link.screenName ?? state.screenName
            }
            settle()
        }
    }

    package func settingsChanged(_ link: RecordingLink) {
        queue.async { [self] in settle() }
    }

    package func screenChanged(_ name: String, _ link: RecordingLink) {
        queue.async { [self] in
            state.withLock { state in
                state.screenName = name
                state.isMasked = state.isMasked || state.masks(name)
                state.isNewScreen = true
                state.schedule.request()
            }
            plan()
        }
    }

    package func stopped(_ link: RecordingLink) {
        queue.sync {
            let capture = state.withLock { state -> RecordingCapture? in
                guard state.link === link else { return nil }
                state.link = nil
                return state.endCapture(at: clock.uptime)
            }
            capture?.end()
        }
    }

    package func cleared(_ link: RecordingLink) {
        queue.sync {
            state.withLock { $0.endCapture(at: clock.uptime) }?.forget()
            settle()
        }
    }

    // MARK: Frames; on the queue

    /// Begins or ends, as the settings are now.
    private func settle() {
        let ended = state.withLock { state -> RecordingCapture? in
            let settings = state.host == nil ? nil : state.link?.settings
            if let capture = state.capture, settings == capture.settings { return nil }
            let ended = state.endCapture(at: clock.uptime)
            if let settings, settings.isOn, let link = state.link {
                // However little the settings mask, passwords are.
                link.leaveTextsOutOfCrashes()
                state.capture = RecordingCapture(link, settings)
                state.isNewScreen = true
            }
            return ended
        }
        ended?.end()
        plan()
    }

    /// Has the next frame taken when it is due. Whatever was planned before finds that it is not.
    private func plan() {
        let wait = state.withLock { state -> Duration? in
            guard state.capture != nil, state.host != nil, state.asked == nil else { return nil }
            let now = clock.uptime
            let due = state.schedule.due(at: now)
            if let planned = state.planned, planned <= due, planned > now { return nil }
            state.planned = due
            return max(.zero, due - now)
        }
        guard let wait else { return }
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait / .nanoseconds(1)))) { [weak self] in self?.tick() }
    }

    private func tick() {
        let begun = state.withLock {
            state -> (host: any ObservationHost, capture: RecordingCapture, number: Int)? in
            // What was planned is here.
            state.planned = nil
            guard let capture = state.capture, let host = state.host, let link = state.link, state.asked == nil else {
                return nil
            }
            let now = clock.uptime
            guard state.schedule.due(at: now) <= now else { return nil }
            state.schedule.begin(at: now)
            state.isMasked = state.masks(state.screenName, link.screenName)
            state.user = link.user
            return (host, capture, state.ask(at: now))
        }
        guard let (host, capture, number) = begun else { return plan() }
        let start = capture.link.timekeeper.uptime
        // The host's own code: it may take its time, and call the recorder.
        Task(executorPreference: executor) { [self] in
            let tree = host.isActive ? await host.elementTree() : nil
            queue.async { [self] in take(tree, capture, number, from: start) }
        }
    }

    private struct Frame {
        var since: Duration
        var isMasked: Bool
        var isNew: Bool
        var user: [String: JSONValue]?
    }

    /// Of a host that is not active there is no tree. A capture that is not waited for any more gives no frame.
    private func take(_ tree: ElementTree?, _ capture: RecordingCapture, _ number: Int, from start: Duration) {
        let frame = state.withLock { state -> Frame? in
            guard let since = state.asked?.since, state.answered(number) else { return nil }
            // Whose screen it is must be known.
            guard let tree, state.user == capture.link.user else {
                capture.forgetScreen()
                // The host has worked for it all the same.
                state.schedule.end(from: since, to: clock.uptime)
                return nil
            }
            // Which of them the host has drawn is not known.
            let isMasked = state.isMasked || state.masks(tree.screen, capture.link.screenName)
            let isNew = state.isNewScreen || tree.screen != state.lastScreen
            state.isNewScreen = false
            state.lastScreen = tree.screen
            return Frame(since: since, isMasked: isMasked, isNew: isNew, user: state.user)
        }
        if let tree, let frame {
            capture.take(tree, isMasked: frame.isMasked, isNew: frame.isNew, user: frame.user, at: start)
            capture.write()
            state.withLock { $0.schedule.end(from: frame.since, to: clock.uptime) }
        }
        plan()
    }
}
