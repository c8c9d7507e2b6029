// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
package import VakaModel

extension SQLEventStore {
    package func complete(
        capabilities report: CapabilityReport, installID: String?, receivedAt: Timestamp, sequence: Int64,
        project: Int64
    ) throws(StoreError) {
        let document: String
        do {
            document = String(decoding: try ModelCoding.encode(report.capabilities), as: UTF8.self)
        } catch {
            throw StoreError(.failed, "capabilities cannot be written: \(error)")
        }
        let session = String(
            String.UnicodeScalarView((report.session ?? "").unicodeScalars.prefix(NetworkDefault.longestID)))
        try finish(sequence: sequence) { (connection) throws(StoreError) in
            try connection.run(
                """
                INSERT INTO capability_reports (project_id, install_id, session_id, at, received_at, release, environment,
                    document)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (project_id, install_id, session_id) DO UPDATE SET
                    at = excluded.at, received_at = excluded.received_at, release = excluded.release,
                    environment = excluded.environment, document = excluded.document
                WHERE excluded.at >= capability_reports.at
                """,
                [
                    .integer(project), .text(installID ?? ""), .text(session), .time(report.timestamp),
                    .time(receivedAt), .optional(report.release), .optional(report.environment), .text(document),
                ])
        }
    }

    private static let reportColumns = "id, install_id, session_id, at, received_at, release, environment, document"

    private static func report(_ row: SQLRow) -> StoredCapabilities {
        func known(_ place: Int32) -> String? { row.optionalText(place).flatMap { $0.isEmpty ? nil : $0 } }
        let document = Data(row.text(7).utf8)
        return StoredCapabilities(
            id: row.integer(0), installID: known(1), receivedAt: row.time(4),
            report: CapabilityReport(
                timestamp: row.time(3), session: known(2), release: row.optionalText(5),
                environment: row.optionalText(6),
                capabilities: (try? ModelCoding.decode([CapabilityDescriptor].self, from: document)) ?? []))
    }

    package func capabilities(
        project: Int64, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<StoredCapabilities> {
        let rows = try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT \(Self.reportColumns) FROM capability_reports WHERE project_id = ? AND id < ?
                ORDER BY id DESC LIMIT ?
                """, [.integer(project), .integer(after?.first ?? .max), .integer(Int64(limit) + 1)], Self.report)
        }
        return Page(rows, limit: limit) { Cursor($0.id) }
    }

    package func capabilities(project: Int64, session: String) throws(StoreError) -> CapabilityReport? {
        guard !session.isEmpty else { return nil }
        return try read { (connection) throws(StoreError) in
            try connection.first(
                """
                SELECT \(Self.reportColumns) FROM capability_reports WHERE project_id = ? AND session_id = ?
                ORDER BY at DESC LIMIT 1
                """, [.integer(project), .text(session)]
            ) { Self.report($0).report }
        }
    }

    package func capabilities(
        ofInstallation id: String, project: Int64, limit: Int
    ) throws(StoreError) -> [StoredCapabilities] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT \(Self.reportColumns) FROM capability_reports WHERE project_id = ? AND install_id = ?
                ORDER BY id DESC LIMIT ?
                """, [.integer(project), .text(id), .integer(Int64(limit))], Self.report)
        }
    }

    package func complete(diagnostic: StoredDiagnostic, sequence: Int64, project: Int64) throws(StoreError) {
        try finish(sequence: sequence) { (connection) throws(StoreError) in
            try connection.run(
                """
                INSERT INTO diagnostics (project_id, at, level, tag, code, install_id, message)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .integer(project), .time(diagnostic.at), .text(diagnostic.level), .text(diagnostic.tag),
                    .text(diagnostic.code), .text(diagnostic.installID ?? ""), .text(diagnostic.message),
                ])
        }
    }

    package func diagnostics(
        project: Int64, after: Cursor?, limit: Int
    ) throws(StoreError) -> Page<StoredDiagnostic> {
        let rows = try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT \(Self.diagnosticColumns) FROM diagnostics WHERE project_id = ? AND id < ?
                ORDER BY id DESC LIMIT ?
                """, [.integer(project), .integer(after?.first ?? .max), .integer(Int64(limit) + 1)],
                Self.diagnostic)
        }
        return Page(rows, limit: limit) { Cursor($0.id) }
    }

    package func diagnostics(
        ofInstallation id: String, project: Int64, limit: Int
    ) throws(StoreError) -> [StoredDiagnostic] {
        try read { (connection) throws(StoreError) in
            try connection.query(
                """
                SELECT \(Self.diagnosticColumns) FROM diagnostics WHERE project_id = ? AND install_id = ?
                ORDER BY id DESC LIMIT ?
                """, [.integer(project), .text(id), .integer(Int64(limit))], Self.diagnostic)
        }
    }

    private static let diagnosticColumns = "id, at, level, tag, code, install_id, message"

    private static func diagnostic(_ row: SQLRow) -> StoredDiagnostic {
        StoredDiagnostic(
            id: row.integer(0), at: row.time(1), level: row.text(2), tag: row.text(3), code: row.text(4),
            installID: row.text(5).isEmpty ? nil : row.text(5), message: row.text(6))
    }
}
