// SPDX-License-Identifier: Apache-2.0
public import Dispatch

extension Vaka {
    /// Stops. Returns at once; from the call on nothing is collected, and a crash of the program is no longer caught: see
    /// ``stop(on:completion:)``.
    public static func stop() {
        Runtime.lifecycle.stop()
    }

    /// Stops, and has `completion` called on `queue` once when what could be sent is sent: at most 5 seconds later, or at
    /// once where nothing runs.
    ///
    /// It returns at once. From the call on nothing is collected: calls are refused with ``APIError/notRunning``, crashes
    /// are not caught, nothing is watched, and the session has ended. Then, in the background, what is kept is sent: crashes
    /// first, then the rest. Whatever did not leave stays on disk and goes out after the next start. A request that is under
    /// way after 5 seconds is not broken off; after the report no other begins.
    ///
    /// A stop during a stop joins it, and both get the same report. A start that was waiting for the report does not come
    /// any more: the last word counts.
    public static func stop(on queue: DispatchQueue = .global(), completion: @escaping @Sendable () -> Void) {
        Runtime.lifecycle.stop { queue.async(execute: completion) }
    }

    /// Stops, and returns when what could be sent is sent; see ``stop(on:completion:)``.
    public static func stop() async {
        await withCheckedContinuation { continuation in Runtime.lifecycle.stop { continuation.resume() } }
    }

    /// Stops, and starts again after the stop's report, with another user or configuration. Where nothing runs it only
    /// starts. Returns at once.
    ///
    /// Nil stands for what the most recent start had; the user is the one named since, by `identify`. What is collected
    /// between this call and the end of the start waits in memory, in its order, at most 1,000 calls of it, and is then told
    /// with the times when it came. A start that fails refuses it with ``APIError/notRunning``.
    ///
    /// With another key or endpoint, what comes goes out with those; what was queued before keeps going where it was queued
    /// for, with the key of then, by later launches, too. Tags set by `setTag`, and breadcrumbs, are those of the run that
    /// ended. Where there was no start before, and no configuration is given, nothing happens.
    public static func restart(user: User? = nil, config: Options? = nil) {
        Runtime.lifecycle.restart(user: user, options: config)
    }

    /// The same, and returns when the start has ended: whether Vaka runs then.
    @discardableResult
    public static func restart(user: User? = nil, config: Options? = nil) async -> Bool {
        await withCheckedContinuation { continuation in
            Runtime.lifecycle.restart(user: user, options: config) { continuation.resume(returning: $0) }
        }
    }
}
