// SPDX-License-Identifier: Apache-2.0
import CrashRecord
package import VakaModel

extension BatchItem {
    /// An event travels under its own id, so that it is stored once however often it is sent.
    package init(event: Event) throws {
        self.init(kind: .event, id: event.eventID, payload: try JSONValue(encoding: event))
    }

    /// A session's state travels under its id and status: each state counts once.
    package init(session: Session) throws {
        self.init(kind: .session, id: "\(session.id)-\(session.status)", payload: try JSONValue(encoding: session))
    }

    /// A hang ends once.
    package init(hangEnd: HangEnd) throws {
        self.init(kind: .hangEnd, id: hangEnd.eventID, payload: try JSONValue(encoding: hangEnd))
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
