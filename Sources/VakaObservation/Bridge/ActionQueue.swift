// SPDX-License-Identifier: Apache-2.0
import Synchronization
public import VakaModel

/// Hands a host's work to the thread of its toolkit, one piece after the other, and no more than so many at once.
///
/// Bridges, web views and whatever else of the host drives its screen may share one. Whatever does not fit is refused
/// with `action_queue_overloaded`; what waits when the queue is stopped, or when its task is cancelled, is not done and
/// answers `action_cancelled`. What has begun is done to its end, and says how it ended. May be called from any thread.
public final class ActionQueue: Sendable {
    /// Has the toolkit call a closure on its thread, once and soon, as `g_idle_add` and `DispatchQueue.async` do.
    public typealias Post = @Sendable (@escaping @Sendable () -> Void) -> Void

    private enum Item {
        case entered
        case waiting(CheckedContinuation<Bool, Never>)
        case running
    }

    private struct State {
        var items: [Int: Item] = [:]
        var last = 0
        var isStopped = false
    }

    private let limit: Int
    private let post: Post
    private let state = Mutex(State())

    /// A queue of at most `limit` pieces of work, the one that is being done included.
    public init(limit: Int = 16, post: @escaping Post) {
        self.limit = max(1, limit)
        self.post = post
    }

    /// How much waits or is being done.
    public var count: Int { state.withLock { $0.items.count } }

    /// Has `work` done on the toolkit's thread and returns what it returns.
    ///
    /// - Throws: what `work` throws, `actionQueueOverloaded`, `actionCancelled`.
    public func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(ObservationRejection) -> Value
    ) async throws(ObservationRejection) -> Value {
        let number = try enter()
        let outcome = Outcome<Value>()
        await withTaskCancellationHandler {
            _ = await withCheckedContinuation { continuation in
                guard wait(number, continuation) else { return continuation.resume(returning: false) }
                post { [self] in
                    guard let waiting = begin(number) else { return }
                    outcome.set(Result(catching: work))
                    state.withLock { $0.items[number] = nil }
                    waiting.resume(returning: true)
                }
            }
        } onCancel: {
            cancel(number)
        }
        return try outcome.get()
    }

    /// Takes nothing more; what waits answers `action_cancelled`.
    public func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            let waiting = state.items.keys.compactMap { Self.remove($0, &state) }
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: false) }
    }

    private func enter() throws(ObservationRejection) -> Int {
        let answer: Result<Int, ObservationRejection> = state.withLock { state in
            guard !state.isStopped else { return .failure(.actionCancelled) }
            guard state.items.count < limit else { return .failure(.actionQueueOverloaded) }
            state.last += 1
            state.items[state.last] = .entered
            return .success(state.last)
        }
        return try answer.get()
    }

    /// False where it was cancelled already.
    private func wait(_ number: Int, _ continuation: CheckedContinuation<Bool, Never>) -> Bool {
        state.withLock { state in
            guard state.items[number] != nil else { return false }
            state.items[number] = .waiting(continuation)
            return true
        }
    }

    /// Nil where it was cancelled meanwhile.
    private func begin(_ number: Int) -> CheckedContinuation<Bool, Never>? {
        state.withLock { state in
            guard case .waiting(let continuation) = state.items[number] else { return nil }
            state.items[number] = .running
            return continuation
        }
    }

    private func cancel(_ number: Int) {
        state.withLock { Self.remove(number, &$0) }?.resume(returning: false)
    }

    /// Takes out what has not begun.
    private static func remove(_ number: Int, _ state: inout State) -> CheckedContinuation<Bool, Never>? {
        switch state.items[number] {
        case .entered:
            state.items[number] = nil
            return nil
        case .waiting(let continuation):
            state.items[number] = nil
            return continuation
        case .running, nil: return nil
        }
    }
}

/// What came of work on another thread; cancelled, where it was not done.
private final class Outcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, ObservationRejection>>(.failure(.actionCancelled))

    func set(_ value: Result<Value, ObservationRejection>) { result.withLock { $0 = value } }
    func get() throws(ObservationRejection) -> Value { try result.withLock { $0 }.get() }
}
