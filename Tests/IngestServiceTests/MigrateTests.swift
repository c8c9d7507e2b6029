// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

@testable import IngestService

struct MigrateTests {
    private func migrate(_ server: ServerProcess, _ database: PostgresTestDatabase) throws -> ChildProcess {
        try ChildProcess(
            BuildProducts.executable("vaka-server"),
            ["migrate", "--from", server.folder.path + "/data", "--to", database.address])
    }

    /// Tables that are begun.
    private func steps(_ database: PostgresTestDatabase) throws -> Int {
        let found = try? database.server.run("SELECT count(*) FROM migration", in: database.name)
        return found.flatMap { $0.first.flatMap { Int($0) } } ?? 0
    }

    @Test func `an installation moves to PostgreSQL, through kill -9, and goes on there`() throws {
        let server = try ServerProcess()
        let database = try PostgresTestDatabase()
        for first in stride(from: 1, through: 60, by: 20) {
            let items = try (first..<first + 20).map { try Samples.item(Samples.crash($0)) }
            #expect(try server.accepted(Samples.batch(items)).accepted == 20)
        }
        _ = try server.event(60)
        let early = try migrate(server, database).wait()
        #expect(early.status == .exited(1) && early.errors.contains("stop it first"), "\(early.errors)")
        server.process.kill(SIGTERM)
        #expect(try server.process.wait().status == .exited(0))
        for enough in [2, 10, 18] {
            let process = try migrate(server, database)
            try eventually { try steps(database) >= enough || process.hasEnded ? true : nil }
            process.kill(SIGKILL)
            _ = try process.wait()
        }
        let last = try migrate(server, database).wait()
        #expect(last.status == .exited(0), "\(last.errors)")
        #expect(last.output.hasPrefix("moved 60 events of 1 issues in 1 projects"), "\(last.output)")
        let moved = try ServerProcess(["--store", database.address], folder: server.folder)
        #expect(moved.credentials.ingestKey == server.credentials.ingestKey)
        #expect(try moved.accepted(try Samples.batch(Samples.crash(60))).accepted == 1)
        _ = try moved.accepted(try Samples.batch(Samples.crash(61)))
        _ = try moved.event(61)
        #expect(try Set(moved.allEvents(ofIssue: 1)) == Set((1...61).map(Samples.eventID)))
        #expect(try moved.json("issues/1")["events"] == .integer(61))
        // Nobody moves what was left behind a second time.
        let again = try migrate(server, try PostgresTestDatabase()).wait()
        #expect(again.status == .exited(1) && again.errors.contains("are in PostgreSQL already"), "\(again.errors)")
    }
}
