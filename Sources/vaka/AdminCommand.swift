// SPDX-License-Identifier: Apache-2.0

/// `vaka admin`: becomes the service's own executable, which has the store.
enum AdminCommand: ServerSubcommand {
    static let serverWords: [String] = ["admin"]
    static let name = "admin"
    static let manual = Manual(
        summary: "manage projects, users, tokens, keys and backups of a service on this machine",
        usage: "admin WHAT … --data DIR | --store URI",
        explanation: """
            Works straight in the service's data folder, whether the service runs or not: who may read the folder needs no
            token. It is the way back in where all are lost. Everything is in the audit log.

              project add NAME | list
              user    add NAME [--server-admin] | list | password NAME | disable NAME | enable NAME | promote NAME
                      | demote NAME | log-out NAME | remove NAME
              member  set NAME admin|member|read-only | remove NAME | list
              token   add --scope SCOPE… [--name TEXT] [--expires DAYS] | list | revoke NUMBER
              key     add [--name TEXT] [--expires DAYS] | list | revoke NUMBER
              data    export USER | remove USER, of the programs' users | scrub
              reprocess --event ID | --issue N | --days N
              retention                          has the server remove what is beyond its limits now, and waits for it
              audit
              backup  --data DIR --to FOLDER     copies all that the service keeps, while it runs
              restore --from FOLDER --data DIR   makes a data folder of a backup, and checks each file on the way
              verify  --data DIR [--store URI] | --backup FOLDER
                                                 reads it from end to end; says what is wrong, and what to do

            Passwords, tokens and keys that are made are printed once. Scopes: read (issues, events, images), images
            (debuginfod), write (decide about issues), upload (images, sources), metrics, admin (settings, keys, tokens,
            members), server (everything in every project).
            """,
        options: [
            Manual.Option("data", "DIR", "the service's data folder"),
            Manual.Option("store", "URI", "the PostgreSQL database of services that have --store"),
            Manual.Option("project", "P", "the project; \"default\" when not given"),
            Manual.Option("scope", "SCOPE", "what a token may do; may be repeated"),
            Manual.Option("name", "TEXT", "what a token or key is for"),
            Manual.Option("expires", "DAYS", "when a token or key ends; never when not given"),
            Manual.Option("server-admin", nil, "the user may do everything in every project"),
            Manual.Option("password-stdin", nil, "read the password from standard input, one line"),
            Manual.Option("to", "FOLDER", "where a backup goes: a folder that is new or empty"),
            Manual.Option("from", "FOLDER", "the backup to restore"),
            Manual.Option("backup", "FOLDER", "the backup to verify, in place of --data"),
            Manual.Option("limit", "N", "entries of the audit log; 50 when not given"),
        ],
        examples: [
            "vaka admin user add ann@example.com --server-admin --data /var/lib/vaka",
            "vaka admin token add --scope upload --name ci --expires 365 --data /var/lib/vaka",
            "vaka admin backup --data /var/lib/vaka --to /backup/vaka-monday",
        ])
}
