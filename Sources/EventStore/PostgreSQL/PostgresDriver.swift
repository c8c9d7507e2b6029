// SPDX-License-Identifier: Apache-2.0
import CPostgres
import FoundationEssentials
import Glibc
import VakaModel

/// One connection to PostgreSQL with its prepared statements.
final class PostgresDriver: SQLDriver, @unchecked Sendable {  // its owner hands it to one thread at a time
    private var connection: OpaquePointer?
    private let clock: PostgresClock
    /// Names by text.
    private var statements: [String: String] = [:]
    private var prepared = 0
    private static let mostStatements = 256
    /// SQLSTATE of the last failure.
    private(set) var failureState = ""
    private var isBroken = false
    /// What was posted and not sent yet.
    private var posted: [PostgresPipeline.Command] = []
    /// Whether the last COMMIT was sent and never answered.
    private(set) var isOutcomeUnknown = false

    let dialect = Dialect.postgres
    var now: Timestamp { clock.now }

    /// - Parameter address: as libpq takes it: a URI, or names and values.
    init(_ address: String, clock: PostgresClock) throws(StoreError) {
        self.clock = clock
        // The address comes after what it may say otherwise.
        let options = [
            ("connect_timeout", "10"), ("application_name", "vaka-server"), ("keepalives_idle", "15"),
            ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "30000"),
            ("dbname", address), ("client_encoding", "UTF8"),
        ]
        let names = options.map { strdup($0.0) }
        let values = options.map { strdup($0.1) }
        defer { (names + values).forEach { free($0) } }
        connection = PQconnectdbParams(
            names.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
        guard PQstatus(connection) == CONNECTION_OK else {
            let reason = Self.text(PQerrorMessage(connection))
            close()
            throw StoreError(.away, "cannot connect to PostgreSQL: \(reason)")
        }
        vaka_pg_silence(connection)
        try execute(Self.settings)
    }

    deinit { close() }

    /// What an administrator may have chosen otherwise, and what this program is built on: a commit is on the disk when it
    /// returns, and a transaction sees what others committed before each of its statements.
    private static let settings = """
        SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
        SET default_transaction_isolation = 'read committed';
        SET statement_timeout = '60s'; SET lock_timeout = '30s'; SET idle_in_transaction_session_timeout = '60s'
        """

    func close() {
        PQfinish(connection)
        connection = nil
        statements = [:]
    }

    /// False when it is broken for good.
    var isUsable: Bool { !isBroken && PQstatus(connection) == CONNECTION_OK }

    func execute(_ sql: String) throws(StoreError) {
        try sendPosted()
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        try check(result, sql)
    }

    func insert(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> Int64 {
        var id: Int64 = 0
        _ = try run(sql + " RETURNING id", values) { id = $0.integer(0) }
        return id
    }

    func run(_ sql: String, _ values: [SQLValue], _ each: (SQLRow) -> Void) throws(StoreError) -> Int {
        let command = try command(sql, values)
        guard posted.isEmpty else { return try rows(of: sendPosted(then: command), sql, each) }
        let result = command.parameters.withPointers { addresses, lengths, formats in
            PQexecPrepared(connection, command.name, Int32(values.count), addresses, lengths, formats, 1)
        }
        return try rows(of: result, sql, each)
    }

    func post(_ sql: String, _ values: [SQLValue]) throws(StoreError) {
        let command = try command(sql, values)
        posted.append(command)
        if posted.count >= PostgresPipeline.mostCommands { try sendPosted() }
    }

    private func command(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> PostgresPipeline.Command {
        let parameters = PostgresParameters(values)
        return .init(sql: sql, name: try name(of: sql, parameters), parameters: parameters)
    }

    /// All that was posted, and `last` behind it, in one go; the result of that.
    @discardableResult
    private func sendPosted(then last: PostgresPipeline.Command? = nil) throws(StoreError) -> OpaquePointer? {
        guard !posted.isEmpty else { return nil }
        let commands = posted + (last.map { [$0] } ?? [])
        posted = []
        var results = PostgresPipeline(connection).run(commands)
        defer { results.forEach { PQclear($0) } }
        guard results.count == commands.count else {
            (isBroken, failureState) = (true, "")
            throw StoreError(.away, "the database failed: \(Self.text(PQerrorMessage(connection)))")
        }
        for (result, command) in zip(results, commands) { try check(result, command.sql) }
        return last == nil ? nil : results.removeLast()
    }

    private func rows(
        of result: OpaquePointer?, _ sql: String, _ each: (SQLRow) -> Void
    ) throws(StoreError) -> Int {
        defer { PQclear(result) }
        try check(result, sql)
        guard let result else { return 0 }
        for row in 0..<PQntuples(result) { each(.postgres(PostgresRow(result: result, row: row))) }
        return Int(Self.text(PQcmdTuples(result))) ?? 0
    }

    func begin() throws(StoreError) { try execute("BEGIN") }

    func commit() throws(StoreError) {
        let commit = try command("COMMIT", [])
        isOutcomeUnknown = true
        if posted.isEmpty { try execute("COMMIT") } else { PQclear(try sendPosted(then: commit)) }
        isOutcomeUnknown = false
    }

    func rollback() {
        posted = []
        // Without a connection it is undone already.
        if isUsable { PQclear(PQexec(connection, "ROLLBACK")) }
    }

    /// The name of the statement, which is prepared when it is first used.
    private func name(of sql: String, _ parameters: PostgresParameters) throws(StoreError) -> String {
        if let known = statements[sql] { return known }
        if statements.count >= Self.mostStatements {
            try execute("DEALLOCATE ALL")
            statements = [:]
        }
        prepared += 1
        let name = "s\(prepared)"
        let result = PQprepare(
            connection, name, Placeholders.numbered(sql), Int32(parameters.types.count), parameters.types)
        defer { PQclear(result) }
        try check(result, sql)
        statements[sql] = name
        return name
    }

    private func check(_ result: OpaquePointer?, _ sql: String) throws(StoreError) {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return
        default: break
        }
        failureState = PQresultErrorField(result, CInt(UInt8(ascii: "C"))).map { Self.text($0) } ?? ""
        // What the server says has a state; libpq itself has none for a connection that broke, and may not have noted it yet.
        if failureState.isEmpty { isBroken = true }
        // The server has answered: it is known that nothing was committed.
        if isUsable { isOutcomeUnknown = false }
        let reason = Self.text(PQresultErrorField(result, CInt(UInt8(ascii: "M"))) ?? PQerrorMessage(connection))
        let code = isUsable ? PostgresFailure.code(failureState) : .away
        throw StoreError(code, "the database failed (\(reason), state \(failureState)) at: \(sql.prefix(120))")
    }

    private static func text(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "" }
        return String(cString: text).split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
