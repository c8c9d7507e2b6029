// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What the lifecycle does now, and what it is to do next; each step is told as an action, for the caller to carry out
/// without the lock.
struct LifecyclePlan {
    typealias Start = Lifecycle.Start

    /// A call that came while a start was awaited.
    struct Waiting: Sendable {
        var call: Lifecycle.Call
        var callback: Lifecycle.Callback?
        var time: Timestamp
        var scope: Vaka.Scope?
        /// Why it is refused, where it is.
        var reason = Vaka.APIError.notRunning

        var givenUp: Waiting {
            var call = self
            call.reason = .tooMany
            return call
        }
    }

    private enum Phase {
        case stopped
        case starting
        case running(Client)
        /// The stop's number, and whom to tell of its end.
        case stopping(Client, Int, [@Sendable () -> Void])
    }

    private var phase = Phase.stopped
    /// Asked for while a start was under way: whom to tell.
    private var stopAfterStart: [@Sendable () -> Void]?
    /// What waits for the end of the stop.
    private var nextStart: Start?
    /// Whom to tell of the start that is under way or next.
    private var starters: [@Sendable (Bool) -> Void] = []
    /// For the start that is under way.
    private var waiting: [Waiting] = []
    /// For the one that waits.
    private var waitingForNext: [Waiting] = []
    /// Calls that were given up, of which no client has been told.
    private var dropped = 0
    /// Calls that the client of the start that is under way was told.
    private var admitted = 0
    private var stops = 0
    /// The start that lacks it.
    var awaitingConsent: Start?
    /// For the first start.
    var saidConsent: Consent?
    /// Of the most recent start.
    private(set) var recent: Start?

    var client: Client? {
        if case .running(let client) = phase { client } else { nil }
    }

    /// The one that runs or is being stopped.
    var last: Client? {
        if case .stopping(let client, _, _) = phase { client } else { client }
    }

    /// A start or a stop is under way.
    var isBusy: Bool {
        switch phase {
        case .starting, .stopping: true
        case .stopped, .running: false
        }
    }

    private var isStarting: Bool {
        if case .starting = phase { true } else { false }
    }

    var collects: Bool { client != nil || isAwaited }

    private var isAwaited: Bool { nextStart != nil || (isStarting && stopAfterStart == nil) }

    /// Keeps the call for the start that is awaited; returns the one that is refused instead: this one, or the oldest.
    mutating func wait(_ call: Waiting) -> Waiting? {
        guard isAwaited else { return call }
        let refused = nextStart == nil ? Self.add(call, to: &waiting) : Self.add(call, to: &waitingForNext)
        if refused != nil { dropped += 1 }
        return refused
    }

    private static func add(_ call: Waiting, to waiting: inout [Waiting]) -> Waiting? {
        waiting.append(call)
        guard waiting.count > Lifecycle.waitingLimit else { return nil }
        return waiting.removeFirst().givenUp
    }

    private mutating func takeWaiting() -> [Waiting] {
        defer {
            waiting = []
            waitingForNext = []
        }
        return waiting + waitingForNext
    }

    mutating func take<Value>(_ path: WritableKeyPath<Self, Value?>) -> Value? {
        defer { self[keyPath: path] = nil }
        return self[keyPath: path]
    }

    // MARK: Starting

    /// Whether the caller is to start now.
    mutating func beginStart(_ start: Start) -> Bool {
        switch phase {
        case .stopped:
            phase = .starting
            recent = start
            return true
        case .running: return false
        case .starting:
            if stopAfterStart != nil { plan(start) }
            return false
        case .stopping:
            plan(start)
            return false
        }
    }

    /// Of several starts that wait the first stands.
    private mutating func plan(_ start: Start) {
        guard nextStart == nil else { return }
        nextStart = start
        recent = start
    }

    enum RestartAction {
        case none, impossible
        case start(Start)
        case stop(Client, Int)
    }

    mutating func beginRestart(
        user: Vaka.User?, options: Vaka.Options?, _ told: @escaping @Sendable (Bool) -> Void
    ) -> RestartAction {
        guard let options = options ?? recent?.options else { return .impossible }
        let start = Start(options: options, user: user ?? recent?.user)
        recent = start
        starters.append(told)
        switch phase {
        case .stopped:
            phase = .starting
            return .start(start)
        case .starting:
            stopAfterStart = stopAfterStart ?? []
            nextStart = start
            return .none
        case .stopping:
            nextStart = start
            return .none
        case .running(let client):
            nextStart = start
            return .stop(client, beginStopping(client, []))
        }
    }

    mutating func note(user: Vaka.User?) {
        recent?.user = user
    }

    /// What comes of a start that failed.
    struct Failure {
        var refused: [Waiting]
        /// Who asked for a stop meanwhile: that is done.
        var stopped: [@Sendable () -> Void]
        /// Who is told that nothing runs.
        var starters: [@Sendable (Bool) -> Void]
        /// Asked for meanwhile: comes in its place.
        var next: Start?
    }

    mutating func startFailed() -> Failure {
        defer { stopAfterStart = nil }
        guard let next = nextStart else {
            phase = .stopped
            return Failure(refused: takeWaiting(), stopped: stopAfterStart ?? [], starters: takeStarters())
        }
        let failure = Failure(refused: waiting, stopped: stopAfterStart ?? [], starters: [], next: next)
        nextStart = nil
        waiting = waitingForNext
        waitingForNext = []
        return failure
    }

    enum Admission {
        /// To be told to the client first.
        case calls([Waiting])
        /// Too much came meanwhile, and is refused.
        case running(refused: [Waiting], [@Sendable (Bool) -> Void], dropped: Int)
        /// A stop came meanwhile.
        case stopping(Int)
    }

    mutating func admit(_ client: Client) -> Admission {
        // Threads that tell more than one can take in must not keep the start from its end.
        if !waiting.isEmpty, admitted <= Lifecycle.waitingLimit || stopAfterStart != nil {
            defer { waiting = [] }
            admitted += waiting.count
            return .calls(waiting)
        }
        admitted = 0
        if let told = stopAfterStart {
            stopAfterStart = nil
            return .stopping(beginStopping(client, told))
        }
        phase = .running(client)
        dropped += waiting.count
        defer {
            waiting = []
            dropped = 0
        }
        return .running(refused: waiting.map(\.givenUp), takeStarters(), dropped: dropped)
    }

    /// No client could be told of them.
    mutating func putBack(dropped count: Int) {
        dropped += count
    }

    // MARK: Stopping

    private mutating func beginStopping(_ client: Client, _ told: [@Sendable () -> Void]) -> Int {
        stops += 1
        phase = .stopping(client, stops, told)
        return stops
    }

    enum StopAction {
        /// There is nothing to stop.
        case report
        case carryOut(Client, Int)
        case joined
    }

    /// A start that waited does not come any more: what waited for it is refused, and those who wait are told.
    mutating func beginStop(
        _ told: @escaping @Sendable () -> Void
    ) -> (StopAction, [Waiting], [@Sendable (Bool) -> Void]) {
        switch phase {
        case .stopped: return (.report, [], [])
        case .running(let client): return (.carryOut(client, beginStopping(client, [told])), [], [])
        case .starting:
            stopAfterStart = (stopAfterStart ?? []) + [told]
            nextStart = nil
            defer { waitingForNext = [] }
            return (.joined, waitingForNext, takeStarters())
        case .stopping(let client, let number, let others):
            phase = .stopping(client, number, others + [told])
            nextStart = nil
            return (.joined, takeWaiting(), takeStarters())
        }
    }

    private mutating func takeStarters() -> [@Sendable (Bool) -> Void] {
        defer { starters = [] }
        return starters
    }

    /// Nil where that stop was reported already.
    mutating func report(_ number: Int) -> (told: [@Sendable () -> Void], next: Start?)? {
        guard case .stopping(_, number, let told) = phase else { return nil }
        let next = nextStart
        nextStart = nil
        waiting = waitingForNext
        waitingForNext = []
        phase = next == nil ? .stopped : .starting
        return (told, next)
    }

    /// Whether `told` will be called when what is under way beside the host's threads is done.
    mutating func awaitSettling(_ told: @escaping @Sendable () -> Void) -> Bool {
        if nextStart != nil || isStarting {
            starters.append { _ in told() }
            return true
        }
        guard case .stopping(let client, let number, let others) = phase else { return false }
        phase = .stopping(client, number, others + [told])
        return true
    }
}
