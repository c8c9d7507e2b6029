// SPDX-License-Identifier: Apache-2.0

/// `vaka migrate`: becomes the service's own executable, which has the stores.
enum MigrateCommand: ServerSubcommand {
    static let serverWords: [String] = ["migrate"]
    static let name = "migrate"
    static let manual = Manual(
        summary: "move a service's rows from its data folder into PostgreSQL",
        usage: "migrate --from DIR --to postgres://[USER@]HOST[:PORT]/DATABASE",
        explanation: """
            Moves the rows of a data folder, whose server is stopped, into an empty PostgreSQL database. What is cut off,
            however, goes on when it is run again; until it is done no server starts on the database. The folder stays
            as it is: start the first server with it and --store, for the images and credentials in it.
            """,
        options: [
            Manual.Option("from", "DIR", "the data folder"),
            Manual.Option("to", "URI", "the database"),
        ],
        examples: [
            "vaka migrate --from /var/lib/vaka --to postgres://vaka@db.example.com/vaka",
            "vaka serve --data /var/lib/vaka --store postgres://vaka@db.example.com/vaka",
        ])
}
