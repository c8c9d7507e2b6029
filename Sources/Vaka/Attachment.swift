// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import VakaModel

extension Vaka {
    /// Data that travels with one report.
    public struct Attachment: Hashable, Sendable {
        /// As the page shows it, such as `request.json`.
        public var name: String
        /// At most `Options.attachmentLimit` bytes are sent, the last ones; the report says so.
        public var data: Data
        /// Such as `application/json`.
        public var contentType: String?

        /// A value; nothing is copied to disk before it is attached to a report.
        public init(name: String, data: Data, contentType: String? = nil) {
            self.name = name
            self.data = data
            self.contentType = contentType
        }

        /// Attachments of one report at most, and files of a crash.
        static let most = 10

        func told(of event: String, limit: Int) -> EventAttachment {
            let kept = data.suffix(min(max(0, limit), 8 << 20))
            return EventAttachment(
                eventID: event, name: name, contentType: contentType, size: Int64(data.count),
                offset: Int64(data.count - kept.count), data: Data(kept))
        }
    }

    /// Names a file, such as a log, that is attached to a crash, a hang, a snapshot or an abnormal end of this run. It is read
    /// when that is sent, mostly at the next start, and its last `Options.attachmentLimit` bytes travel along: name a file
    /// that the next run does not write over before it calls `start`. A file that is not there then is told of as missing.
    ///
    /// By default its name is the path's last part; at most ten are kept, and the same name again replaces the path. False
    /// where it is not kept, or before `start`. `vaka submit` reads no files of other programs. Thread-safe.
    @discardableResult
    public static func attachFile(_ path: String, name: String? = nil) -> Bool {
        Runtime.client?.attachFile(path, name: name) ?? false
    }

    /// Takes back what `attachFile` named. Thread-safe.
    public static func detachFile(_ name: String) {
        Runtime.client?.detachFile(name)
    }
}
