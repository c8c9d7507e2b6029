// SPDX-License-Identifier: Apache-2.0
import Delivery
import Dispatch
import Synchronization
import VakaModel

/// Starts and stops the client, one thing after the other, and hands it what the host has to tell. Thread-safe.
final class Lifecycle: Sendable {
    /// The longest that a stop sends.
    static let stopBound = Duration.seconds(5)
    /// Calls that wait in memory for a start; the oldest go first.
    static let waitingLimit = Client.memoryLimit

    struct Start: Sendable {
        var options: Vaka.Options
        var user: Vaka.User?
    }

    /// What is told to the client; why it keeps nothing of it, if so.
    typealias Call = @Sendable (Client) -> Vaka.APIError?
    typealias Callback = @Sendable (Vaka.APIError?) -> Void

    private let state = Mutex(LifecyclePlan())
    private let queue = DispatchQueue(label: "vaka.lifecycle", qos: .utility)
    private let make: @Sendable (Start) throws -> Client
    let watches = WatchList()
    /// Who is told of starts and stops.
    let observers = Mutex<[any NetworkObserver]>([])

    init(make: @escaping @Sendable (Start) throws -> Client) {
        self.make = make
    }

    /// Nil while nothing is collected, and in a forked child, where the threads that send are missing.
    var client: Client? {
        guard let client = state.withLock({ $0.client }), client.isOwnProcess else { return nil }
        return client
    }

    /// The one that runs or is being stopped.
    var lastClient: Client? {
        guard let client = state.withLock({ $0.last }), client.isOwnProcess else { return nil }
        return client
    }

    var recentOptions: Vaka.Options? { state.withLock { $0.recent?.options } }

    // MARK: Collecting

    /// Has `call` told to the client: now, or in its turn when the start that is awaited is done. Otherwise it is refused.
    func collect(_ callback: Callback?, _ call: @escaping Call) {
        var refused: LifecyclePlan.Waiting?
        let client = state.withLock { state -> Client? in
            if let client = state.client { return client }
            refused = state.wait(LifecyclePlan.Waiting(call: call, callback: callback, time: .now, scope: .current))
            return nil
        }
        if let client, client.isOwnProcess {
            answer(callback, call(client))
        } else if client != nil {
            // A forked child has no thread to be told on.
            callback?(.notRunning)
        } else if let refused {
            answer(refused.callback, refused.reason)
        }
    }

    /// The same for what cannot be refused by the client.
    func collect(_ call: @escaping @Sendable (Client) -> Void) {
        collect(nil) { client in
            call(client)
            return nil
        }
    }

    /// Whether something that is collected now would be kept.
    var collects: Bool { state.withLock { $0.collects } }

    func refuse(_ callback: Callback?) { answer(callback, .notRunning) }

    /// The user is that of the most recent start from now on, too.
    func identify(_ user: Vaka.User?) {
        collect { [self] client in
            client.identify(user)
            state.withLock { $0.note(user: user) }
        }
    }

    private func answer(_ callback: Callback?, _ error: Vaka.APIError?) {
        guard let callback else { return }
        queue.async { callback(error) }
    }

    private func refuse(_ calls: [LifecyclePlan.Waiting]) {
        for call in calls { answer(call.callback, call.reason) }
    }

    // MARK: Starting

    /// Starts now, on the caller's thread; while the client runs it does nothing; during a stop it waits for the report,
    /// and the caller does not.
    func start(_ start: Start) {
        guard start.options.enabled else { return }
        if state.withLock({ $0.beginStart(start) }) { perform(start) }
    }

    /// Stops where needed, and starts; see ``Vaka/restart(user:config:)``. `told` learns whether it runs then.
    func restart(user: Vaka.User?, options: Vaka.Options?, told: @escaping @Sendable (Bool) -> Void = { _ in }) {
        let action = state.withLock { $0.beginRestart(user: user, options: options, told) }
        switch action {
        case .none: break
        case .start(let start): queue.async { self.perform(start) }
        case .stop(let client, let number): carryOut(client, number)
        case .impossible:
            DebugLog.say("Vaka did not start: restart needs a configuration, for there was no start before")
            queue.async { told(false) }
        }
    }

    private func perform(_ start: Start) {
        do {
            guard start.options.enabled else { return failed() }
            guard mayKeep(start) else {
                state.withLock { $0.awaitingConsent = start }
                return failed()
            }
            let client = try make(start)
            client.whenWithdrawn.withLock { $0 = { [weak self] in self?.heedWithdrawal() } }
            client.whenSettingsChange.withLock { $0 = { [weak self] in self?.tellSettings() } }
            watches.attach(client)
            admit(client)
        } catch {
            DebugLog.say("Vaka did not start: \(error)")
            failed()
        }
    }

    private func failed() {
        let failure = state.withLock { $0.startFailed() }
        refuse(failure.refused)
        for told in failure.stopped { told() }
        for told in failure.starters { told(false) }
        if let next = failure.next { perform(next) }
    }

    /// What waited comes first, in its order.
    private func admit(_ client: Client) {
        while true {
            switch state.withLock({ $0.admit(client) }) {
            case .calls(let calls):
                for waiting in calls {
                    client.clock.tell(waiting.time)
                    let refused = Vaka.Scope.$current.withValue(waiting.scope) { waiting.call(client) }
                    answer(waiting.callback, refused)
                }
                client.clock.tell(nil)
            case .running(let refused, let told, let dropped):
                refuse(refused)
                for observer in observers.withLock({ $0 }) { observer.started() }
                client.recordings.started(client)
                if dropped > 0, !client.note(.memoryOverflow, kind: "call", count: Int64(dropped)) {
                    state.withLock { $0.putBack(dropped: dropped) }
                }
                client.recover()
                for told in told { told(true) }
                return
            case .stopping(let number):
                return carryOut(client, number)
            }
        }
    }

    // MARK: Stopping

    /// See ``Vaka/stop(on:completion:)``.
    func stop(_ told: @escaping @Sendable () -> Void = {}) {
        let (action, calls, starters) = state.withLock { $0.beginStop(told) }
        refuse(calls)
        for told in starters { told(false) }
        switch action {
        case .report: queue.async { told() }
        case .carryOut(let client, let number): carryOut(client, number)
        case .joined: break
        }
    }

    /// Nothing is collected when it returns; the report comes later.
    private func carryOut(_ client: Client, _ number: Int) {
        watches.detach()
        client.stopCollecting()
        for observer in observers.withLock({ $0 }) { observer.stopped() }
        client.finish(within: Self.stopBound) { self.queue.async { self.report(number) } }
    }

    private func tellSettings() {
        for observer in observers.withLock({ $0 }) { observer.settingsChanged() }
    }

    private func report(_ number: Int) {
        guard let (told, next) = state.withLock({ $0.report(number) }) else { return }
        for told in told { told() }
        if let next { perform(next) }
    }

    // MARK: Sending

    /// Does what blocks on a thread that is not the caller's.
    func aside(_ work: @escaping @Sendable () -> Void) {
        DispatchQueue.global(qos: .utility).async(execute: work)
    }

    /// Sends now what is kept; nothing where nothing runs.
    func flush() {
        client?.flush()
    }

    /// The same, and waits for it, and for a start that is awaited. Whether nothing is left.
    func flush(timeout: Duration) -> Bool {
        let deadline = ContinuousClock.now + timeout
        settle(within: timeout)
        guard let client else { return state.withLock { !$0.isBusy } }
        return client.flush(timeout: max(.zero, deadline - .now))
    }

    func settle(within time: Duration) {
        let done = DispatchSemaphore(value: 0)
        guard state.withLock({ $0.awaitSettling { done.signal() } }) else { return }
        _ = done.wait(timeout: .now() + .nanoseconds(Int(clamping: Int64(time / .nanoseconds(1)))))
    }

    // MARK: Consent

    /// Said before there was a start.
    func say(_ consent: Consent) {
        state.withLock { $0.saidConsent = consent }
    }

    func takeSaidConsent() -> Consent? { state.withLock { $0.take(\.saidConsent) } }
    func takeAwaitingConsent() -> Start? { state.withLock { $0.take(\.awaitingConsent) } }

    /// What runs or is to run waits for the consent from now on.
    func noteAwaitingConsent() {
        state.withLock { state in
            if state.isBusy || state.client != nil { state.awaitingConsent = state.recent }
        }
    }

    // MARK: The program's end

    /// Blocks: what is collected goes to disk, and is sent for at most that long.
    func end(within time: Duration) {
        settle(within: time)
        lastClient?.end(within: time)
    }
}
