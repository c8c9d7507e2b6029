// SPDX-License-Identifier: Apache-2.0
import IngestService

/// `vaka-server admin`: projects, users, tokens and keys, straight in the data folder.
struct AdminCommand {
    static let usage = """
        Usage: vaka admin WHAT … --data DIR | --store URI

        Manages projects, users, tokens and keys straight in a server's data folder, whether the server runs or not. Who may
        read the folder needs no token: it is the way back in where all are lost. Everything is in the audit log.

          project add NAME                   a project with an ingest key, which is printed once
          project list
          user add NAME [--server-admin]     a user; the password is printed once, or read with --password-stdin
          user password NAME                 a new password; the user's sessions end
          user disable|enable|remove NAME    shuts a user out, lets one in again, or removes one
          user promote|demote NAME           may do everything in every project, or no longer
          user log-out NAME                  ends the user's sessions
          user list
          member set NAME ROLE               a user's part in the project: admin, member or read-only
          member remove NAME
          member list
          token add --scope SCOPE…           a token of the project, printed once. Scopes: read (issues, events, images),
                                             images (debuginfod), write (decide about issues), upload (images, sources),
                                             metrics, admin (settings, keys, tokens, members), server (everything)
          token list
          token revoke NUMBER                ends it, and the sessions it opened
          key add, key list, key revoke NUMBER
                                             the same for ingest keys
          data export USER                   what is kept of a user of the programs, as events name them: documents, one a line
          data remove USER                   removes it
          data scrub                         applies the project's scrub rules to what is stored already
          reprocess --event ID | --issue N | --days N
                                             works on stored events again whose reports are kept
          retention                          has the server remove now what is older or more than its limits say, and waits
          audit                              who did what, when and from where, newest first

          --data DIR                         the server's data folder
          --store URI                        the PostgreSQL database of servers that have --store
          --project P                        the project ("default" when not given)
          --name TEXT                        what a token or key is for
          --scope SCOPE                      may be repeated
          --expires DAYS                     when a token or key ends (never when not given)
          --password-stdin                   read the password from standard input, one line
          --limit N                          of the audit log (default 50)

        Examples
          vaka admin user add ann@example.com --server-admin --data /var/lib/vaka
          vaka admin token add --scope upload --name ci --expires 365 --data /var/lib/vaka

        """

    private var words: [String] = []
    private var options: [String: [String]] = [:]
    private static let switches: Set<String> = ["--server-admin", "--password-stdin"]
    private static let valued: Set<String> = [
        "--data", "--store", "--project", "--name", "--scope", "--expires", "--limit", "--event", "--issue", "--days",
    ]

    init(_ arguments: ArraySlice<String>) throws(UsageError) {
        var rest = arguments
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--"), argument != "--" else {
                words.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if Self.switches.contains(argument) {
                options[argument] = []
            } else if Self.valued.contains(parts[0]) {
                guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
                    throw UsageError(message: "admin: \(parts[0]) needs a value")
                }
                options[parts[0], default: []].append(value)
            } else {
                throw UsageError(message: "admin: unknown option \"\(argument)\"; vaka admin --help lists them")
            }
        }
    }

    /// What to print.
    func run() throws -> String {
        let work = try work()
        let administration = try administration()
        defer { administration.close() }
        return try work(administration)
    }

    private func administration() throws -> Administration {
        if let store = options["--store"]?.last {
            return try Administration(store: try CommandLineReader.postgres(store))
        }
        guard let data = options["--data"]?.last else {
            throw UsageError(
                message: "admin: --data DIR is needed, the server's data folder, or --store URI, its database")
        }
        return try Administration(dataFolder: data)
    }

    private typealias Work = (Administration) throws -> String

    private func work() throws(UsageError) -> Work {
        switch (words.first, words.dropFirst().first) {
        case ("project", _): try projectWork()
        case ("user", _): try userWork()
        case ("member", _): try memberWork()
        case ("token", let verb?), ("key", let verb?): try credentialWork(verb, isToken: words[0] == "token")
        case ("data", _): try dataWork()
        case ("reprocess", nil): reprocessWork()
        case ("retention", nil): { try $0.keepLimits() }
        case ("audit", nil): try auditWork()
        default: throw unknown
        }
    }

    private var unknown: UsageError {
        UsageError(message: "admin: what is \"\(words.joined(separator: " "))\"? vaka admin --help lists what there is")
    }

    private var project: String { options["--project"]?.last ?? "default" }

    private func projectWork() throws(UsageError) -> Work {
        switch Array(words.dropFirst()) {
        case ["list"]: return { try $0.projects() }
        case let rest where rest.first == "add" && rest.count == 2: return { try $0.addProject(rest[1]) }
        default: throw unknown
        }
    }

    private func userWork() throws(UsageError) -> Work {
        let rest = Array(words.dropFirst())
        if rest == ["list"] { return { try $0.users() } }
        guard rest.count == 2 else { throw unknown }
        let name = rest[1]
        let password = options["--password-stdin"] != nil ? readLine() : nil
        if options["--password-stdin"] != nil, password == nil {
            throw UsageError(message: "admin: there is no password on standard input")
        }
        let isServerAdmin = options["--server-admin"] != nil
        switch rest[0] {
        case "add": return { try $0.addUser(name, password: password, isServerAdmin: isServerAdmin) }
        case "password": return { try $0.setPassword(name, password: password) }
        case "disable": return silent { try $0.setUser(name, isDisabled: true) }
        case "enable": return silent { try $0.setUser(name, isDisabled: false) }
        case "promote": return silent { try $0.setUser(name, isServerAdmin: true) }
        case "demote": return silent { try $0.setUser(name, isServerAdmin: false) }
        case "remove": return silent { try $0.removeUser(name) }
        case "log-out": return { try $0.endSessions(name) }
        default: throw unknown
        }
    }

    private func memberWork() throws(UsageError) -> Work {
        let (rest, project) = (Array(words.dropFirst()), project)
        switch (rest.first, rest.count) {
        case ("list", 1): return { try $0.members(project: project) }
        case ("set", 3): return silent { try $0.setRole(rest[2], user: rest[1], project: project) }
        case ("remove", 2): return silent { try $0.setRole(nil, user: rest[1], project: project) }
        default: throw unknown
        }
    }

    private func credentialWork(_ verb: String, isToken: Bool) throws(UsageError) -> Work {
        let (project, name) = (project, options["--name"]?.last)
        let scopes = options["--scope"] ?? []
        switch (verb, words.count) {
        case ("list", 2):
            return { try isToken ? $0.tokens(project: project) : $0.keys(project: project) }
        case ("add", 2):
            let days = try number("--expires", 1...3650)
            guard !isToken || !scopes.isEmpty else {
                throw UsageError(message: "admin: token add needs --scope; vaka admin --help lists the scopes")
            }
            return { administration in
                try isToken
                    ? administration.addToken(project: project, name: name, scopes: scopes, days: days)
                    : administration.addKey(project: project, name: name, days: days)
            }
        case ("revoke", 3):
            guard let id = Int64(words[2]) else { throw unknown }
            return silent {
                try isToken ? $0.revokeToken(id, project: project) : $0.revokeKey(id, project: project)
            }
        default: throw unknown
        }
    }

    private func dataWork() throws(UsageError) -> Work {
        let (rest, project) = (Array(words.dropFirst()), project)
        switch (rest.first, rest.count) {
        case ("scrub", 1): return { try $0.scrub(project: project) }
        case ("remove", 2): return { try $0.removeData(ofUser: rest[1], project: project) }
        case ("export", 2):
            return silent { try $0.exportData(ofUser: rest[1], project: project) { print($0, terminator: "") } }
        default: throw unknown
        }
    }

    private func reprocessWork() -> Work {
        let (event, issue, days) = (options["--event"]?.last, options["--issue"]?.last, options["--days"]?.last)
        return { [project] in try $0.reprocess(event: event, issue: issue, days: days, project: project) }
    }

    private func auditWork() throws(UsageError) -> Work {
        let limit = try number("--limit", 1...100_000) ?? 50
        return { try $0.auditLog(limit: limit) }
    }

    private func silent(_ body: @escaping (Administration) throws -> Void) -> Work {
        { administration in
            try body(administration)
            return ""
        }
    }

    private func number(_ name: String, _ range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = options[name]?.last else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                message:
                    "admin: \(name) takes a number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
        }
        return number
    }
}
