// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import VakaModel

/// What senders know: every number tried, and those that were answered 202.
final class StreamLedger: Sendable {
    struct State {
        var next = 1
        var acknowledged: Set<Int> = []
        var open: [Int] = []
    }
    let state = Mutex(State())

    func take() -> Int {
        state.withLock { state in
            // What was not answered is sent again, as a program's queue would.
            if let number = state.open.popLast() { return number }
            state.next += 1
            return state.next - 1
        }
    }

    func settle(_ number: Int, acknowledged: Bool) {
        state.withLock { state in
            if acknowledged { state.acknowledged.insert(number) } else { state.open.append(number) }
        }
    }
}

extension ServerProcess {
    /// The ids of all stored events of the issue.
    func allEvents(ofIssue issue: Int64) throws -> [String] {
        var ids: [String] = []
        var cursor = ""
        repeat {
            let page = try json("issues/\(issue)/events?limit=200" + (cursor.isEmpty ? "" : "&cursor=\(cursor)"))
            ids += (page["events"]?.array ?? []).compactMap { $0["event_id"]?.string }
            cursor = page["next_cursor"]?.string ?? ""
        } while !cursor.isEmpty
        return ids
    }
}
