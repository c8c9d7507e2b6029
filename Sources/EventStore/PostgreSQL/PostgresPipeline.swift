// SPDX-License-Identifier: Apache-2.0
import CPostgres

/// Commands that go to PostgreSQL one behind the other, without waiting for the answer of each: a round trip for all.
///
/// After one that fails the server leaves the rest out.
struct PostgresPipeline {
    /// A prepared statement with its values.
    struct Command {
        var sql: String
        var name: String
        var parameters: PostgresParameters
    }

    /// At once: their answers fit into what the connection holds while nobody reads.
    static let mostCommands = 64

    private let connection: OpaquePointer?

    init(_ connection: OpaquePointer?) {
        self.connection = connection
    }

    /// The result of each, to be cleared by the caller; fewer where the connection broke.
    func run(_ commands: [Command]) -> [OpaquePointer] {
        guard PQenterPipelineMode(connection) == 1 else { return [] }
        var isSent = true
        for command in commands where isSent { isSent = send(command) }
        guard isSent, PQpipelineSync(connection) == 1 else { return [] }
        var results: [OpaquePointer] = []
        for _ in commands {
            guard let result = PQgetResult(connection) else { return results }
            results.append(result)
            // The end of one command's results.
            while let more = PQgetResult(connection) { PQclear(more) }
        }
        let end = PQgetResult(connection)
        defer { PQclear(end) }
        guard PQresultStatus(end) == PGRES_PIPELINE_SYNC, PQexitPipelineMode(connection) == 1 else {
            results.forEach { PQclear($0) }
            return []
        }
        return results
    }

    private func send(_ command: Command) -> Bool {
        command.parameters.withPointers { addresses, lengths, formats in
            PQsendQueryPrepared(
                connection, command.name, Int32(addresses.count), addresses, lengths, formats, 1)
        } == 1
    }
}
