// SPDX-License-Identifier: Apache-2.0
import EventStore
import Synchronization

/// Which keys events of a sketch were found to have: what a worker found once needs not be found again to count the next.
/// Thread-safe; holds some thousands, those that came last.
final class KnownProblems: Sendable {
    struct Keys: Equatable {
        var keys: [IssueKey]
        var groupingVersion: Int
        var basis: KeyBasis
    }

    private struct Sketch: Hashable {
        var project: Int64
        var key: String
    }

    private struct Finding {
        /// Nil where events of the sketch had different ones: such are looked into one by one.
        var keys: Keys?
        var imageRevision: Int64
    }

    private struct State {
        var recent: [Sketch: Finding] = [:]
        var older: [Sketch: Finding] = [:]
    }

    private static let mostRecent = 4096

    private let state = Mutex(State())

    /// With other images the keys may be others.
    func keys(of sketch: String, project: Int64, imageRevision: Int64) -> Keys? {
        state.withLock { state in
            let sketch = Sketch(project: project, key: sketch)
            guard let finding = state.recent[sketch] ?? state.older[sketch], finding.imageRevision == imageRevision
            else {
                return nil
            }
            return finding.keys
        }
    }

    func learn(_ keys: Keys, of sketch: String, project: Int64, imageRevision: Int64) {
        state.withLock { state in
            let sketch = Sketch(project: project, key: sketch)
            let before = state.recent[sketch] ?? state.older[sketch]
            if let before, before.imageRevision > imageRevision { return }
            let isSame = before.map { $0.imageRevision < imageRevision || $0.keys == keys } ?? true
            if state.recent.count >= Self.mostRecent, state.recent[sketch] == nil {
                state.older = state.recent
                state.recent = [:]
            }
            state.recent[sketch] = Finding(keys: isSame ? keys : nil, imageRevision: imageRevision)
        }
    }

    /// No issue has these keys any more.
    func forget(_ keys: [IssueKey], project: Int64) {
        state.withLock { state in
            state.recent = state.recent.filter { $0.key.project != project || $0.value.keys?.keys != keys }
            state.older = state.older.filter { $0.key.project != project || $0.value.keys?.keys != keys }
        }
    }
}
