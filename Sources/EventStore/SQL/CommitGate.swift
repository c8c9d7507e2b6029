// SPDX-License-Identifier: Apache-2.0

/// Gathers what several threads want to commit into one transaction: they share the wait for the disk.
///
/// The first to come commits for all who arrived by then; those who come meanwhile form the next group.
final class CommitGate: Sendable {
    struct Work: Sendable {
        var entries: [SpoolEntry]
        var project: Int64
        var origin: BatchOrigin?
    }

    private struct State {
        var waiting: [(ticket: UInt64, work: Work)] = []
        var finished: [UInt64: StoreError?] = [:]
        var committing = false
        var nextTicket: UInt64 = 0
    }

    private enum Turn {
        case lead([(ticket: UInt64, work: Work)])
        case finished(StoreError?)
    }

    private let state = Monitor(State())

    /// Returns when the work is committed, by this thread or another.
    func submit(_ work: Work, commit: ([Work]) throws(StoreError) -> Void) throws(StoreError) {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            state.waiting.append((state.nextTicket, work))
            return state.nextTicket
        }
        while true {
            switch turn(ticket) {
            case .finished(let error):
                if let error { throw error }
                return
            case .lead(let group):
                lead(group, commit)
            }
        }
    }

    private func turn(_ ticket: UInt64) -> Turn {
        let turn = state.wait { state -> Turn? in
            if let result = state.finished.removeValue(forKey: ticket) { return .finished(result) }
            guard !state.committing else { return nil }
            state.committing = true
            defer { state.waiting = [] }
            return .lead(state.waiting)
        }
        return turn ?? .finished(StoreError(.busy, "the database did not finish a commit in time"))
    }

    private func lead(_ group: [(ticket: UInt64, work: Work)], _ commit: ([Work]) throws(StoreError) -> Void) {
        var outcome: StoreError?
        do {
            try commit(group.map(\.work))
        } catch {
            outcome = error
        }
        state.update { state in
            for member in group { state.finished[member.ticket] = .some(outcome) }
            state.committing = false
        }
    }
}
