// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

/// What the host has watched over: while the client runs. Thread-safe.
final class WatchList: Sendable {
    /// One thing that is watched.
    struct Entry: Sendable {
        let name: String
        let bound: Duration
        let ping: Vaka.Watch.Ping
        /// Nil while nothing is watched.
        var handle: Vaka.Watch.Handle?
    }

    private struct State {
        var core: CrashCore?
        var entries: [Int: Entry] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    /// Watches from now on, or from the next start.
    func add(_ name: String, _ bound: Duration, _ ping: @escaping Vaka.Watch.Ping) -> Int {
        state.withLock { state in
            state.last += 1
            let handle = state.core?.watch(name, bound: bound, ping: ping)
            state.entries[state.last] = Entry(name: name, bound: bound, ping: ping, handle: handle)
            return state.last
        }
    }

    func remove(_ number: Int) {
        state.withLock { $0.entries.removeValue(forKey: number) }?.handle?.end()
    }

    func attach(_ client: Client) {
        guard let core = client.core else { return }
        core.tellHangs()
        if let bound = client.options.hangDetection {
            _ = core.watch("main", bound: bound) { answer in DispatchQueue.main.async(execute: answer) }
        }
        state.withLock { state in
            state.core = core
            for (number, entry) in state.entries where entry.handle == nil {
                state.entries[number]?.handle = core.watch(entry.name, bound: entry.bound, ping: entry.ping)
            }
        }
    }

    /// All that is watched ends; what the host asked for is taken up again by the next start.
    func detach() {
        let (core, handles) = state.withLock { state in
            let core = state.core
            let handles = state.entries.values.compactMap(\.handle)
            state.core = nil
            for number in state.entries.keys { state.entries[number]?.handle = nil }
            return (core, handles)
        }
        // Outside of the lock: a ping may be under way, which may make a watch.
        for handle in handles { handle.end() }
        core?.endWatching()
    }
}
