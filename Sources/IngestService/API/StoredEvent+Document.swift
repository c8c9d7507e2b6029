// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import VakaModel

extension StoredEvent {
    /// The document as it was stored; of a hang with its end, and with what the session could tell, where that came apart.
    func currentDocument(_ store: any EventStore, project: Int64) throws -> Data {
        let stored = try Zstandard.decompress(Data(document))
        let end =
            summary.type == EventType.hang.rawValue
            ? try store.hangEnd(project: project, event: summary.eventID) : nil
        guard var event = try? ModelCoding.decode(Event.self, from: stored) else { return stored }
        let capabilities =
            event.capabilities == nil
            ? try event.session.flatMap { try store.capabilities(project: project, session: $0.id)?.capabilities } : nil
        guard end != nil || capabilities != nil else { return stored }
        if let end {
            event.hang?.outcome = end.outcome
            event.hang?.duration = end.duration
        }
        if let capabilities { event.capabilities = capabilities }
        return try ModelCoding.encode(event)
    }
}
