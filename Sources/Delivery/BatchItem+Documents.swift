// SPDX-License-Identifier: Apache-2.0
import CrashRecord
package import VakaModel

extension BatchItem {
    package init(event: Event) throws { try self.init(TypedItem(event: event)) }
    package init(session: Session) throws { try self.init(TypedItem(session: session)) }
    package init(hangEnd: HangEnd) throws { try self.init(TypedItem(hangEnd: hangEnd)) }
    package init(attachment: EventAttachment, number: Int) throws {
        try self.init(TypedItem(attachment: attachment, number: number))
    }
    package init(network record: NetworkRequestEvent, id: String) throws {
        try self.init(TypedItem(network: record, id: id))
    }
    package init(capabilities report: CapabilityReport, id: String) throws {
        try self.init(TypedItem(capabilities: report, id: id))
    }

    /// A part of a recording travels under the recording's id and its number.
    package init(recording: Recording) throws {
        let name = recording.eventID.map { "\(recording.recordingID)-\($0)" } ?? recording.recordingID
        self.init(kind: .recording, id: "\(name)-\(recording.part)", payload: try JSONValue(encoding: recording))
    }

    private init(_ item: TypedItem<some Encodable & JSONWritable>) throws {
        self.init(kind: item.kind, id: item.id, payload: try JSONValue(encoding: item.payload))
    }

    /// What an event is sent as: a crash and an abnormal end are the end of their session, a hang or a snapshot is not.
    package static func items(of event: Event) throws -> [BatchItem] {
        if event.type == .crash { return try items(ofCrash: event) }
        let item = try BatchItem(event: event.keepingReferencedImages())
        guard event.type == .abnormal, let session = event.session else { return [item] }
        return [item, try BatchItem(session: session)]
    }

    /// What a crash is sent as: the event, with only the images that it points into, and the end of its session.
    package static func items(ofCrash event: Event) throws -> [BatchItem] {
        var event = event.keepingReferencedImages()
        guard var session = event.session else { return [try BatchItem(event: event)] }
        session.status = .crashed
        if session.duration == nil {
            session.duration = Double(max(0, event.timestamp.milliseconds - session.started.milliseconds)) / 1000
        }
        session.release = session.release ?? event.release
        session.environment = session.environment ?? event.environment
        event.session = session
        return [try BatchItem(event: event), try BatchItem(session: session)]
    }
}
