// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// A batch's item whose payload is a value still; written, it is the same.
package struct TypedItem<Payload: Encodable & JSONWritable>: Encodable, JSONWritable {
    package let kind: ItemKind
    package let id: String
    package let payload: Payload

    package func write(to json: inout JSONBytes) throws {
        try BatchItem.write(kind: kind, id: id, payload: payload, to: &json)
    }
}

extension TypedItem where Payload == Event {
    /// An event travels under its own id, so that it is stored once however often it is sent.
    package init(event: Event) { self.init(kind: .event, id: event.eventID, payload: event) }
}

extension TypedItem where Payload == Session {
    /// A session's state travels under its id and status: each state counts once.
    package init(session: Session) {
        self.init(kind: .session, id: "\(session.id)-\(session.status)", payload: session)
    }
}

extension TypedItem where Payload == HangEnd {
    /// A hang ends once.
    package init(hangEnd: HangEnd) { self.init(kind: .hangEnd, id: hangEnd.eventID, payload: hangEnd) }
}

extension TypedItem where Payload == EventAttachment {
    /// The attachments of an event are numbered.
    package init(attachment: EventAttachment, number: Int) {
        self.init(kind: .attachment, id: "\(attachment.eventID)-\(number)", payload: attachment)
    }
}

extension TypedItem where Payload == NetworkRequestEvent {
    /// The id is of this one record: a second delivery is stored once.
    package init(network record: NetworkRequestEvent, id: String) {
        self.init(kind: .network, id: id, payload: record)
    }
}

extension TypedItem where Payload == CapabilityReport {
    package init(capabilities report: CapabilityReport, id: String) {
        self.init(kind: .capabilities, id: id, payload: report)
    }
}
