// SPDX-License-Identifier: Apache-2.0
import Delivery
import Dispatch
import Synchronization

extension Vaka {
    /// Vaka as one of a program's services: `run` lasts until its task is cancelled or `ending` returns, and then has sent
    /// what was there. It has the shape that service groups ask for (`run() async throws`); put it first, since a group stops
    /// its services in reverse:
    ///
    ///     extension Vaka.Service: ServiceLifecycle.Service {}
    ///     let reporting = Vaka.Service(options) { try? await gracefulShutdown() }
    ///     let group = ServiceGroup(services: [reporting, server], …)
    public struct Service: Sendable {
        private let options: Options?
        private let bound: Duration
        private let ending: (@Sendable () async -> Void)?

        /// With options, `run` starts the SDK; better call `Vaka.start` first thing in `main`, and give none here. `bound` is
        /// the longest that the end of `run` waits for what is to be sent. `ending` returns when the service is to end; by
        /// default only the cancellation of its task does that.
        public init(
            _ options: Options? = nil, bound: Duration = .seconds(5), ending: (@Sendable () async -> Void)? = nil
        ) {
            self.options = options
            self.bound = bound
            self.ending = ending
        }

        /// Returns when its task is cancelled or `ending` has returned. Never throws. The SDK goes on collecting; what is
        /// reported later is sent at the program's end.
        public func run() async throws {
            if let options { Vaka.start(options) }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await Cancellation().wait() }
                if let ending { group.addTask { await ending() } }
                await group.next()
                group.cancelAll()
            }
            await Vaka.flush(within: bound)
        }
    }

    /// Runs `body` and returns what it returns, or throws what it throws, after what it reported has been sent, for at most
    /// `bound`; an error that it throws is reported, a cancellation is not. For programs that are one task:
    ///
    ///     try await Vaka.run { try await job() }
    public static func run<Result: Sendable>(
        bound: Duration = .seconds(5), isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body()
            await flush(within: bound)
            return result
        } catch {
            capture(error)
            await flush(within: bound)
            throw error
        }
    }

    /// Sends now what waits, and returns when it is delivered or the time is over, without blocking the caller's executor.
    /// Whether nothing is left.
    @discardableResult
    public static func flush(within bound: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async { continuation.resume(returning: flush(timeout: bound)) }
        }
    }
}

/// The end of a task that only its cancellation ends.
private final class Cancellation: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Void, Never>)
        case cancelled
    }

    private let state = Mutex(State.idle)

    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if case .cancelled = state { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
                defer { state = .cancelled }
                if case .waiting(let continuation) = state { return continuation }
                return nil
            }
            waiting?.resume()
        }
    }
}
