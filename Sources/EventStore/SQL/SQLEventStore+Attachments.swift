// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
package import VakaModel

extension SQLEventStore {
    package func complete(
        attachment: EventAttachment, number: Int, sequence: Int64, project: Int64
    ) throws(StoreError) {
        try finish(sequence: sequence) { (connection) throws(StoreError) in
            try connection.run(
                """
                INSERT INTO attachments (project_id, event_id, number, name, content_type, size, start, missing, data,
                    received_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
                [
                    .integer(project), .text(attachment.eventID), .integer(Int64(number)), .text(attachment.name),
                    .optional(attachment.contentType), .integer(attachment.size), .integer(attachment.offset),
                    .optional(attachment.missing), attachment.data.map { .blob($0) } ?? .null, .time(connection.now),
                ])
        }
    }

    package func attachments(project: Int64, event: String) throws(StoreError) -> [StoredAttachment] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT name, content_type, size, start, missing, number, coalesce(length(data), 0)
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
        try read { (connection) throws(StoreError) in
            try connection.first(
                """
                SELECT name, content_type, size, start, missing, data
                FROM attachments WHERE project_id = ? AND event_id = ? AND number = ?
                """, [.integer(project), .text(event), .integer(Int64(number))]
            ) { row in Self.attachment(row, event, data: row.isNull(5) ? nil : Data(row.bytes(5))) }
        }
    }

    private static func attachment(_ row: SQLRow, _ event: String, data: Data?) -> EventAttachment {
        EventAttachment(
            eventID: event, name: row.text(0), contentType: row.optionalText(1), size: row.integer(2),
            offset: row.integer(3), data: data, missing: row.optionalText(4))
    }
}
