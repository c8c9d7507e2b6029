// SPDX-License-Identifier: Apache-2.0
import CPostgres
import FoundationEssentials
import Glibc

/// A PostgreSQL server on a socket in a folder of its own, which ends with this process whatever ends it.
package final class PostgresServer: Sendable {
    private let folder: TemporaryFolder
    private let keeper: ChildProcess

    /// The server that the tests of a process share, with the databases of theirs.
    package static let shared = Result { try PostgresServer() }

    /// - Parameter isDurable: what was committed is there after the machine died, not only after the server did.
    package init(isDurable: Bool = false) throws {
        folder = try TemporaryFolder()
        let options = isDurable ? "" : "-c fsync=off -c full_page_writes=off"
        keeper = try ChildProcess("sh", ["-c", Self.script, "sh", folder.path, "\(getpid())", options])
        try keeper.waitForOutput("ready", seconds: 60)
    }

    deinit {
        keeper.kill(SIGTERM)
        _ = try? keeper.wait(seconds: 20)
    }

    /// Makes the files and looks after the server. `stopped` in the folder keeps it down.
    private static let script = """
        D=$1; P=$2; OPTIONS=$3; cd "$D" || exit 1
        PATH="$PATH:$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)"
        mkdir data run; AS=
        if [ "$(id -u)" = 0 ]; then
            chmod 711 .; chown nobody data run; AS="setpriv --reuid=nobody --regid=nogroup --clear-groups"
        fi
        $AS initdb -D data -A trust -U vaka -E UTF8 --locale=C --no-sync >/dev/null || exit 1
        quit() { [ -z "$SERVER" ] || kill -QUIT "$SERVER"; wait "$SERVER"; rm -rf data run; exit 0; }
        trap quit TERM
        while kill -0 "$P"; do
            if [ -e stopped ]; then
                [ -z "$SERVER" ] || { kill -QUIT "$SERVER"; wait "$SERVER"; SERVER=; }
                [ -e is-down ] || touch is-down
            elif [ -z "$SERVER" ] || ! kill -0 "$SERVER"; then
                rm -f is-down
                $AS postgres -D data -k "$D/run" -c listen_addresses= -c max_connections=300 -c shared_buffers=32MB \\
                    $OPTIONS >log 2>&1 &
                SERVER=$!
                until $AS pg_isready -q -h "$D/run" -U vaka -d postgres; do kill -0 "$SERVER" || exit 1; sleep 0.05; done
                echo ready
            fi
            sleep 0.1
        done 2>/dev/null
        quit
        """

    package func address(_ database: String) -> String { "postgres:///\(database)?host=\(folder.path)/run&user=vaka" }

    /// Stops it as a crash would.
    package func stop() throws {
        FileManager.default.createFile(atPath: folder.path + "/stopped", contents: nil)
        try eventually { FileManager.default.fileExists(atPath: folder.path + "/is-down") ? true : nil }
    }

    package func start() throws {
        try FileManager.default.removeItem(atPath: folder.path + "/stopped")
        try eventually { self.isUp ? true : nil }
    }

    private var isUp: Bool {
        let connection = PQconnectdb(address("postgres"))
        defer { PQfinish(connection) }
        return PQstatus(connection) == CONNECTION_OK
    }

    /// The first column of what the statement answers.
    @discardableResult
    package func run(_ sql: String, in database: String = "postgres") throws -> [String] {
        let connection = PQconnectdb(address(database))
        defer { PQfinish(connection) }
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
            throw ChildProcess.Failure(description: "\(sql): \(String(cString: PQerrorMessage(connection)))")
        }
        return (0..<PQntuples(result)).map { String(cString: PQgetvalue(result, $0, 0)) }
    }
}

/// A database of a test's own on the shared server, removed with the value.
package final class PostgresTestDatabase: Sendable {
    package let server: PostgresServer
    package let name: String
    package var address: String { server.address(name) }

    /// - Parameter template: a database that this one begins as.
    package init(on server: PostgresServer? = nil, template: String = "template1") throws {
        self.server = try server ?? PostgresServer.shared.get()
        name = "t" + UUID().uuidString.lowercased().filter { $0 != "-" }
        try self.server.run("CREATE DATABASE \(name) TEMPLATE \(template)")
    }

    deinit {
        _ = try? server.run("DROP DATABASE \(name) WITH (FORCE)")
    }
}
