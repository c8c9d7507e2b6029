// SPDX-License-Identifier: Apache-2.0
import EventStore
import FoundationEssentials
import Glibc
import VakaModel

/// Remembers in a data folder that its rows are in PostgreSQL, so that nobody takes an older database in it for them.
package struct RowsElsewhere: Codable, Sendable {
    /// Without its password.
    package var store: String

    /// Nil where the rows are in the folder.
    package init?(_ folder: DataFolder.Layout) {
        guard let data = try? Data(contentsOf: URL(filePath: folder.rows)),
            let known = try? ModelCoding.decode(Self.self, from: data)
        else { return nil }
        self = known
    }

    private init(store: String) { self.store = store }

    /// Notes where the rows are that a server is started on; refuses to go back to those that were here before.
    static func note(_ store: String?, in folder: DataFolder.Layout) throws(ServiceError) {
        guard let store else {
            guard let known = RowsElsewhere(folder) else { return }
            throw ServiceError(
                "the rows of \(folder.path) are in PostgreSQL: start the server with --store \(known.store); to go back to "
                    + "what \(folder.database) holds, remove \(folder.rows)")
        }
        do {
            try ModelCoding.encode(Self(store: PostgresAddress.withoutSecrets(store)), pretty: true).write(
                to: URL(filePath: folder.rows), options: .atomic)
        } catch {
            throw ServiceError("cannot write \(folder.rows): \(error)")
        }
    }
}
