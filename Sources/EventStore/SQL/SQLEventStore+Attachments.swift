// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
package import VakaModel

extension SQLEventStore {
    package func complete(
        attachment: EventAttachment, number: Int, sequence: Int64, project: Int64
    ) throws(StoreError) {
        let data = attachment.data.map { SQLValue.blob(sealed($0)) } ?? .null
        let sealedSize = sealing == nil ? nil : attachment.data?.count
        try finish(sequence: sequence) { (connection) throws(StoreError) in
            try connection.run(
                """
                INSERT INTO attachments (project_id, event_id, number, name, content_type, size, start, missing, data,
                    received_at, sealed_size) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
                [
                    .integer(project), .text(attachment.eventID), .integer(Int64(number)), .text(attachment.name),
                    .optional(attachment.contentType), .integer(attachment.size), .integer(attachment.offset),
                    .optional(attachment.missing), data, .time(connection.now),
                    .optional(sealedSize),
                ])
        }
    }

    package func attachments(project: Int64, event: String) throws(StoreError) -> [StoredAttachment] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT name, content_type, size, start, missing, number, coalesce(sealed_size, length(data), 0)
                FROM attachments WHERE project_id = ? AND event_id = ? ORDER BY number
                """, [.integer(project), .text(event)]
            ) { row in
                StoredAttachment(
                    number: row.int(5), attachment: Self.attachment(row, event, data: nil), kept: row.int(6))
            }
        }
    }

    package func attachment(
        project: Int64, event: String, number: Int
    ) throws(StoreError) -> EventAttachment? {
        let found = try read { (connection) throws(StoreError) in
            try connection.first(
                """
                SELECT name, content_type, size, start, missing, data, sealed_size
                FROM attachments WHERE project_id = ? AND event_id = ? AND number = ?
                """, [.integer(project), .text(event), .integer(Int64(number))]
            ) { row in
                (
                    attachment: Self.attachment(row, event, data: row.isNull(5) ? nil : Data(row.bytes(5))),
                    isSealed: !row.isNull(6)
                )
            }
        }
        guard var (attachment, isSealed) = found else { return nil }
        if isSealed, let data = attachment.data {
            attachment.data = sealing?.open(data)
            if attachment.data == nil { attachment.missing = "it is sealed, and the server's key does not open it" }
        }
        return attachment
    }

    private static func attachment(_ row: SQLRow, _ event: String, data: Data?) -> EventAttachment {
        EventAttachment(
            eventID: event, name: row.text(0), contentType: row.optionalText(1), size: row.integer(2),
            offset: row.integer(3), data: data, missing: row.optionalText(4))
    }
}
