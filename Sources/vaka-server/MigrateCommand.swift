// SPDX-License-Identifier: Apache-2.0
import IngestService

/// `vaka-server migrate`: rows of a data folder into PostgreSQL.
struct MigrateCommand {
    static let usage = """
        Usage: vaka migrate --from DIR --to postgres://[USER@]HOST[:PORT]/DATABASE

        Moves the rows of the data folder DIR, whose server is stopped, into an empty PostgreSQL database. What is cut off,
        however, goes on when it is run again; until it is done no server starts on the database. DIR stays as it is: start
        the first server with --data DIR and --store, for the images and credentials in it.
        Exit status: 0 done and counted, 1 it failed, 2 wrong usage.

        """

    private let from: String
    private let to: String

    init(_ arguments: ArraySlice<String>) throws(UsageError) {
        var values: [String: String] = [:]
        var rest = arguments
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard ["--from", "--to"].contains(parts[0]) else {
                throw UsageError(message: "unknown argument \"\(argument)\" of migrate")
            }
            guard let value = parts.count > 1 ? parts[1] : rest.popFirst(), !value.isEmpty else {
                throw UsageError(message: "\(parts[0]) needs a value")
            }
            values[parts[0]] = value
        }
        guard let from = values["--from"], let to = values["--to"] else {
            throw UsageError(message: "migrate needs --from DIR and --to postgres://…")
        }
        self.from = from
        self.to = try CommandLineReader.postgres(to)
    }

    func run() throws {
        let line = ProgressLine()
        defer { line.clear() }
        let migration = try DataMigration.run(from: from, to: to) { line.show("moving \($0)", $1, $2) }
        line.clear()
        func count(_ table: String) -> Int64 { migration.counts[table] ?? 0 }
        print(
            "moved \(count("events")) events of \(count("issues")) issues in \(count("projects")) projects, "
                + "\(migration.counts.values.reduce(0, +)) rows in all. Start the server with --data \(from) and --store"
        )
    }
}
