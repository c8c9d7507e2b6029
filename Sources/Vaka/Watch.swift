// SPDX-License-Identifier: Apache-2.0
import CVakaCrash
public import Dispatch

extension Vaka {
    /// What is watched over; it goes on being watched when this value is gone. Thread-safe.
    public final class Watch: Sendable {
        typealias Ping = @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void

        final class Box: Sendable {
            let ping: Ping

            init(_ ping: @escaping Ping) { self.ping = ping }
        }

        /// The answer to one question.
        // The library's function may be called from any thread, and knows late answers by their number.
        struct Answer: @unchecked Sendable {
            let watch: OpaquePointer
            let number: UInt64

            func callAsFunction() { vaka_crash_watch_answer(watch, number) }
        }

        // Handed from one thread to another, never used by two.
        struct Handle: @unchecked Sendable {
            let watch: OpaquePointer
            let box: Unmanaged<Box>

            func end() {
                vaka_crash_watch_stop(watch)
                box.release()
            }
        }

        private let number: Int

        init(_ number: Int) {
            self.number = number
        }

        /// Ends the watch. Not from its own ping.
        public func stop() {
            Runtime.lifecycle.watches.remove(number)
        }
    }

    /// Reports when something does not go on: with `ping` it is asked, at most once each half of the bound, and when its
    /// answer does not come within the bound, that is a hang. See docs/hangs.md.
    ///
    ///     Vaka.watch("pool") { answer in Task.detached { answer() } }      // are all threads of the pool blocked?
    ///
    /// `ping` is called on a thread of Vaka's own: it has `answer` called by what is watched, and must not wait for it.
    /// Nothing is reported before the first answer. What is watched at most: 32 things. A watch lasts while the SDK runs, and
    /// is taken up again by the next start; one that is made before the start begins with it.
    @discardableResult
    public static func watch(
        _ name: String, bound: Duration = .seconds(5),
        ping: @escaping @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void
    ) -> Watch {
        Watch(Runtime.lifecycle.watches.add(name, bound, ping))
    }

    /// Reports when a serial queue does not come to the end of its work. By default under its label.
    @discardableResult
    public static func watch(_ queue: DispatchQueue, name: String? = nil, bound: Duration = .seconds(5)) -> Watch {
        watch(name ?? queue.label, bound: bound) { answer in queue.async(execute: answer) }
    }

    /// Reports when an actor does not come round to a call: something within it blocks its thread.
    @discardableResult
    public static func watch(_ actor: any Actor, name: String, bound: Duration = .seconds(5)) -> Watch {
        // The watch must not keep it alive.
        watch(name, bound: bound) { [weak actor] answer in
            guard let actor else { return answer() }
            Task { await visit(actor, answer) }
        }
    }

    private static func visit(_ actor: isolated any Actor, _ answer: @Sendable () -> Void) async {
        answer()
    }
}
