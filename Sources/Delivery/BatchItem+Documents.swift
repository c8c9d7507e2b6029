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

    /// What a record's event is sent as: a crash ends its session, a hang or a snapshot does not.
    package static func items(of event: Event) throws -> [BatchItem] {
        event.type == .crash
            ? try items(ofCrash: event) : [try BatchItem(event: event.keepingReferencedImages())]
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
