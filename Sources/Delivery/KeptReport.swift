// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import FoundationEssentials
package import VakaModel

/// A report in `crashes/`: a record, or an event document that `vaka run` made of one.
///
/// While it is read its name has the number of the attempt at its end, so that one whose reading ends the process does
/// so a few times only.
package struct KeptReport: Hashable, Sendable {
    package static let recordSuffix = ".vakacrash"
    package static let documentSuffix = ".json"

    /// As it stands there now.
    package let name: String
    /// Without the number of the attempt.
    let plain: String
    /// How often reading was begun.
    let attempts: Int

    /// Nil for other names.
    package init?(name: String) {
        guard !name.hasPrefix(".") else { return nil }
        let suffixes = [Self.recordSuffix, Self.documentSuffix]
        var plain = name
        var attempts = 0
        if !suffixes.contains(where: name.hasSuffix), let dot = name.lastIndex(of: "."),
            let number = Int(name[name.index(after: dot)...])
        {
            plain = String(name[..<dot])
            attempts = number
        }
        guard suffixes.contains(where: plain.hasSuffix), attempts >= 0 else { return nil }
        self.name = name
        self.plain = plain
        self.attempts = attempts
    }

    var nextName: String { "\(plain).\(attempts + 1)" }
    /// The name of its run's last recorded moments.
    func recording(path: String) -> String? {
        isRecord ? (try? CrashRecordFile(contentsOf: path))?.recording : nil
    }

    package var isRecord: Bool { plain.hasSuffix(Self.recordSuffix) }

    /// The files that its run named, by name.
    func attachments(path: String) -> [String: String] {
        guard isRecord, let file = try? CrashRecordFile(contentsOf: path) else { return [:] }
        return file.attachments
    }

    /// Throws what a person should know where the file is no report.
    package func event(path: String) throws -> Event { try read(path: path).event }

    /// And the name of the queue that it is for, where it tells.
    func read(path: String) throws -> (event: Event, queue: String?) {
        if isRecord {
            let file = try CrashRecordFile(contentsOf: path)
            return (file.event(), file.queue)
        }
        guard let data = try DurableFile.read(path, limit: CrashRecordFile.maximumBytes) else {
            throw StorageError("read", path)
        }
        return (try ModelCoding.decode(Event.self, from: data), nil)
    }
}
