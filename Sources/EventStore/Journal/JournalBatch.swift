// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What one request brought, as it waits in the journal.
package struct JournalBatch: Equatable {
    var project: Int64
    var receivedAt: Timestamp
    var origin: BatchOrigin?
    var entries: [SpoolEntry]

    /// Of what the entries hold.
    var bytes: Int { entries.reduce(0) { $0 + $1.payload.count } }

    init(project: Int64, receivedAt: Timestamp, origin: BatchOrigin?, entries: [SpoolEntry]) {
        self.project = project
        self.receivedAt = receivedAt
        self.origin = origin
        self.entries = entries
    }

    /// Nil where the bytes are no batch.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = JournalReader(bytes)
        guard let project = reader.integer(), project > 0, let receivedAt = reader.integer() else { return nil }
        self.init(project: project, receivedAt: Timestamp(milliseconds: receivedAt), origin: nil, entries: [])
        guard let install = reader.optionalText(), let sequence = reader.integer() else { return nil }
        guard install == nil || (1..<Int64.max).contains(sequence) else { return nil }
        origin = install.map { BatchOrigin(installID: $0, sequence: sequence) }
        while !reader.isAtEnd {
            guard let kind = reader.text(), let id = reader.text(), let install = reader.optionalText(),
                let payload = reader.data()
            else { return nil }
            entries.append(SpoolEntry(kind: kind, itemID: id, payload: payload, installID: install))
        }
    }

    func write(to writer: inout JournalWriter) {
        writer.integer(project)
        writer.integer(receivedAt.milliseconds)
        writer.optionalText(origin?.installID)
        writer.integer(origin?.sequence ?? 0)
        for entry in entries {
            writer.text(entry.kind)
            writer.text(entry.itemID)
            writer.optionalText(entry.installID)
            writer.data(entry.payload)
        }
    }
}
