// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

extension StoredEvent {
    /// The document as it was stored; of a hang with its end, where that was told since.
    func currentDocument(_ store: any EventStore, project: Int64) throws -> Data {
        let stored = try Zstandard.decompress(Data(document))
        guard summary.type == EventType.hang.rawValue,
            let end = try store.hangEnd(project: project, event: summary.eventID),
            var event = try? ModelCoding.decode(Event.self, from: stored)
        else { return stored }
        event.hang?.outcome = end.outcome
        event.hang?.duration = end.duration
        return try ModelCoding.encode(event)
    }
}
