// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import VakaModel

/// An item that is in memory still; turned into JSON only on the thread that writes it.
enum PendingItem: Sendable {
    case event(Event)
    case session(Session)
    case hangEnd(HangEnd)
    case attachment(EventAttachment, number: Int)
    case network(NetworkRequestEvent, id: String)
    case capabilities(CapabilityReport, id: String)
    case recording(BatchItem)
    case other(BatchItem)

    var kind: ItemKind {
        switch self {
        case .event: .event
        case .session: .session
        case .hangEnd: .hangEnd
        case .attachment: .attachment
        case .network: .network
        case .capabilities: .capabilities
        case .recording(let item), .other(let item): item.kind
        }
    }

    /// Whether it is told by the host, and not by the SDK of itself.
    var isLogged: Bool {
        switch self {
        case .event, .attachment, .other: true
        case .session, .hangEnd, .network, .capabilities, .recording: false
        }
    }

    /// As JSON, in one line; nil where it cannot be written so.
    var line: Data? {
        switch self {
        case .event(let event): try? ModelCoding.encode(TypedItem(event: event))
        case .session(let session): try? ModelCoding.encode(TypedItem(session: session))
        case .hangEnd(let end): try? ModelCoding.encode(TypedItem(hangEnd: end))
        case .attachment(let attachment, let number):
            try? ModelCoding.encode(TypedItem(attachment: attachment, number: number))
        case .network(let record, let id): try? ModelCoding.encode(TypedItem(network: record, id: id))
        case .capabilities(let report, let id): try? ModelCoding.encode(TypedItem(capabilities: report, id: id))
        case .recording(let item), .other(let item): try? ModelCoding.encode(item)
        }
    }

    /// Nil where it cannot be written as JSON.
    func batchItem(_ log: DebugLog) -> BatchItem? {
        do {
            switch self {
            case .event(let event): return try BatchItem(event: event)
            case .session(let session): return try BatchItem(session: session)
            case .attachment(let attachment, let number):
                return try BatchItem(attachment: attachment, number: number)
            case .hangEnd(let end): return try BatchItem(hangEnd: end)
            case .network(let record, let id): return try BatchItem(network: record, id: id)
            case .capabilities(let report, let id): return try BatchItem(capabilities: report, id: id)
            case .recording(let item), .other(let item): return item
            }
        } catch {
            log("an item of kind \(kind) cannot be written as JSON: \(error)")
            return nil
        }
    }
}
