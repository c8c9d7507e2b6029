// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Events that were counted only, by the installation that sent them, until it is told. Thread-safe.
final class CountedOnly: Sendable {
    private struct Installation: Hashable {
        var project: Int64
        var id: String
    }

    /// Further ones are not told; what their issues tell is right nevertheless.
    private static let most = 10_000

    private let events = Mutex<[Installation: Int]>([:])

    func add(project: Int64, installID: String?) {
        guard let installID else { return }
        events.withLock { events in
            let installation = Installation(project: project, id: installID)
            guard events.count < Self.most || events[installation] != nil else { return }
            events[installation, default: 0] += 1
        }
    }

    /// Those since it was told last; nil where there were none.
    func take(project: Int64, installID: String) -> Int? {
        events.withLock { $0.removeValue(forKey: Installation(project: project, id: installID)) }
    }
}
