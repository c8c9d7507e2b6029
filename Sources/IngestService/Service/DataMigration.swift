// SPDX-License-Identifier: Apache-2.0
package import EventStore
import Glibc

/// Moves the rows of a data folder into PostgreSQL.
package enum DataMigration {
    /// No server uses the folder meanwhile, nor starts on the database. What was cut off goes on when it is run again; the
    /// folder stays as it is.
    package static func run(
        from dataFolder: String, to address: String, progress: StoreMigration.Progress
    ) throws -> StoreMigration {
        let path = DataFolder.Layout(dataFolder).database
        guard access(path, R_OK | W_OK) == 0 else { throw ServiceError.system("cannot open \(path)") }
        if let rows = RowsElsewhere(DataFolder.Layout(dataFolder)) {
            throw ServiceError("the rows of \(dataFolder) are in PostgreSQL already (\(rows.store)): \(path) is older")
        }
        let folder = try DataFolder(path: dataFolder)
        defer { folder.release() }
        return try StoreMigration.run(from: path, to: address, progress: progress)
    }
}
