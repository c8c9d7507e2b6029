// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

extension ServerProcess {
    /// The ids of all that the service has stored or will, by its own tables, each as often as it is there: of events, and
    /// of items of kinds that it keeps as they are.
    package func storedItems() throws -> [String] {
        // Whoever asks for these has all that was accepted sorted into the tables.
        let answer = try get("installations")
        guard answer.status == 200 else {
            throw ChildProcess.Failure(description: "installations cannot be read: \(answer.status)")
        }
        let query = """
            import sqlite3, sys
            database = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True, timeout=30, isolation_level=None)
            # One look: items go from one table to another meanwhile.
            database.execute("BEGIN")
            for table, column in ("events", "event_id"), ("other_items", "item_id"), ("spool", "item_id"):
                where = "WHERE kind <> 'session' AND kind <> 'client_report'" if table == "spool" else ""
                for row in database.execute(f"SELECT {column} FROM {table} {where}"):
                    print(row[0])
            """
        let result = try ChildProcess.run("/usr/bin/env", ["python3", "-c", query, folder.path + "/data/vaka.db"])
        guard result.status == .exited(0) else { throw ChildProcess.Failure(description: result.errors) }
        return result.output.split(separator: "\n").map(String.init)
    }
}
