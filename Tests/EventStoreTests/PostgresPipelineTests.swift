// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing

@testable import EventStore

/// Statements that go along with the next one.
struct PostgresPipelineTests {
    private let test: PostgresTestDatabase
    private let database: PostgresDatabase

    init() throws {
        test = try PostgresTestDatabase()
        database = try PostgresDatabase(test.address)
        try test.server.run("CREATE TABLE posted (id BIGINT PRIMARY KEY, data BYTEA)", in: test.name)
    }

    private static let insert = "INSERT INTO posted (id, data) VALUES (?, ?)"

    private func put(_ id: Int, _ connection: SQLConnection, _ data: Data = Data()) throws(StoreError) {
        try connection.post(Self.insert, [.integer(Int64(id)), .blob(data)])
    }

    private func count(_ connection: SQLConnection) throws(StoreError) -> Int {
        try connection.first("SELECT count(*) FROM posted") { $0.int(0) } ?? -1
    }

    private func kept() throws -> [String] { try test.server.run("SELECT id FROM posted ORDER BY id", in: test.name) }

    @Test func `they are done in their order, before what asks and with the commit`() throws {
        let seen = try database.write(.issues([1, 2]), repeatable: false) { (connection) throws(StoreError) in
            for id in 0..<200 { try put(id, connection) }
            try connection.post("DELETE FROM posted WHERE id >= 10")
            let seen = try count(connection)
            try put(11, connection)
            return seen
        }
        #expect(seen == 10)
        #expect(try kept() == (0..<10).map(String.init) + ["11"])
    }

    @Test func `what is large comes whole`() throws {
        let piece = Data(repeating: 7, count: 3 << 20)
        let bytes = try database.write(.none, repeatable: false) { (connection) throws(StoreError) in
            for id in 0..<12 { try put(id, connection, piece) }
            return try connection.first("SELECT sum(length(data)) FROM posted") { $0.text(0) }
        }
        #expect(bytes != nil)
        #expect(try test.server.run("SELECT sum(length(data)) FROM posted", in: test.name) == ["\(12 * piece.count)"])
    }

    /// More statements than are kept prepared.
    @Test func `they may be as different as they like`() throws {
        try database.write(.none, repeatable: false) { (connection) throws(StoreError) in
            for id in 0..<600 {
                try connection.post("INSERT INTO posted (id) VALUES (\(id))")
                if id % 50 == 0 { _ = try count(connection) }
            }
        }
        #expect(try kept().count == 600)
    }

    @Test(arguments: [true, false]) func `one that fails takes all of its transaction along`(isAsked: Bool) throws {
        let error = #expect(throws: StoreError.self) {
            try database.write(.none, repeatable: true) { (connection) throws(StoreError) in
                try put(1, connection)
                try put(1, connection)
                try put(2, connection)
                if isAsked { _ = try count(connection) }
            }
        }
        #expect(
            error.map { $0.code != .away && $0.description.contains("posted") } == true, "\(String(describing: error))")
        #expect(try kept().isEmpty)
        // The connection is as good as before.
        try database.write(.none, repeatable: false) { (connection) throws(StoreError) in try put(3, connection) }
        #expect(try kept() == ["3"])
    }

    @Test func `a connection that breaks over them is known as one, and they are done once`() throws {
        var turns = 0
        try database.write(.none, repeatable: true) { (connection) throws(StoreError) in
            turns += 1
            let process = try connection.first("SELECT pg_backend_pid()") { $0.int(0) } ?? 0
            try put(1, connection)
            try put(2, connection)
            if turns == 1 {
                _ = try? test.server.run("SELECT pg_terminate_backend(\(process), 10000)", in: test.name)
            }
            _ = try count(connection)
        }
        #expect(turns == 2)
        #expect(try kept() == ["1", "2"])
    }
}
