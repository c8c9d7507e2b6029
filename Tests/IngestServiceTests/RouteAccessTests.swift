// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

@testable import EventStore
@testable import IngestService

/// Every route of /openapi.json, asked by everybody, in their own project and in another's.
struct RouteAccessTests {
    private struct Operation {
        var method: String
        /// As the description has it, with the names of its parts.
        var pattern: String
        var path: String
        /// `adminToken`, `ingestKey`, `session`; empty is open.
        var scheme: String
        var permission: Permission?
    }

    private static let password = "correct horse battery"

    /// With parts that there is nothing of.
    private func operations(_ server: ServerProcess, project: String) throws -> [Operation] {
        let description = try ModelCoding.decode(
            JSONValue.self, from: try server.client.send("GET", "/openapi.json").body)
        return (description["paths"]?.object ?? [:]).flatMap { path, methods in
            (methods.object ?? [:]).map { method, entry in
                let schemes = (entry["security"] ?? .null).array.flatMap { $0.object.map { Array($0.keys) } ?? [] }
                let filled = path.replacing("{p}", with: project).replacing("{id}", with: "1234")
                    .replacing("{name}", with: "nobody").replacing("{number}", with: "7").replacing(
                        "{path}", with: "a.c")
                return Operation(
                    method: method.uppercased(), pattern: path, path: filled, scheme: schemes.sorted().first ?? "",
                    permission: entry["x-vaka-permission"]?.string.flatMap { Permission(rawValue: $0) })
            }
        }.sorted { ($0.path, $0.method) < ($1.path, $1.method) }
    }

    private static let refusals: Set<String> = [
        "missing_credentials", "invalid_credentials", "missing_scope", "wrong_project", "wrong_kind_of_key",
        "no_permission", "no_session", "no_project",
    ]

    /// Nil where the door lets in; what comes of it then is the handler's.
    private func refusal(
        _ operation: Operation, _ server: ServerProcess, _ headers: [String: String]
    ) throws -> String? {
        let response = try server.client.send(operation.method, operation.path, headers: headers)
        #expect(response.status < 500, "\(operation.method) \(operation.path): \(response.status)")
        let code = (try? ModelCoding.decode(ErrorReply.self, from: response.body))?.error.code
        guard let code, Self.refusals.contains(code) else { return nil }
        let fitting: Set = code.hasSuffix("_credentials") ? [401] : [303, 403]
        #expect(fitting.contains(response.status), "\(operation.method) \(operation.path): \(code) \(response.status)")
        return code
    }

    @Test func `tokens open what their scopes say, in their own project`() throws {
        let server = try ServerProcess()
        _ = try server.made("POST", "/projects", ["name": "other"])
        for project in ["default", "other"] {
            let operations = try operations(server, project: project)
            #expect(operations.count > 60)
            for scope in Permission.allCases {
                let headers = ["Authorization": "Bearer \(try server.token(scope.rawValue))"]
                for operation in operations where operation.path != "/metrics" && !operation.scheme.isEmpty {
                    let names = operation.path.contains("/projects/")
                    let inReach = project == "default" || !names || scope == .server
                    let isPermitted = operation.permission.map(scope.implied.contains) ?? false
                    let code = try refusal(operation, server, headers)
                    let place: Comment = "\(scope) at \(operation.method) \(operation.path): \(code ?? "in")"
                    switch operation.scheme {
                    case "adminToken":
                        #expect((code == nil) == (inReach && isPermitted), place)
                        if !inReach { #expect(code == "wrong_project", place) }
                    default:
                        #expect(code != nil, place)
                    }
                }
            }
        }
    }

    @Test func `keys, and tokens that are expired, revoked or made up, open nothing else`() throws {
        let server = try ServerProcess()
        let operations = try operations(server, project: "default").filter {
            !$0.scheme.isEmpty && $0.path != "/metrics"
        }
        let secret = Secrets.makeToken()
        let store = try SQLEventStore(path: server.folder.path + "/data/vaka.db")
        _ = try store.addCredential(
            Secrets.credential(.admin, secret, scopes: [.server], expires: Timestamp(milliseconds: 1)), project: 1)
        let made = try server.made("POST", "/projects/default/tokens", ["scopes": ["server"]])
        guard case .integer(let id)? = made["id"], let revoked = made["secret"]?.string else {
            throw ChildProcess.Failure(description: "no token")
        }
        _ = try server.made("DELETE", "/projects/default/tokens/\(id)")
        store.close()
        let forged = String(server.credentials.adminToken.prefix(20)) + String(repeating: "A", count: 26)
        for operation in operations where operation.scheme == "adminToken" {
            for token in [secret, revoked, forged] {
                let code = try refusal(operation, server, ["Authorization": "Bearer \(token)"])
                #expect(code == "invalid_credentials", "\(operation.method) \(operation.path)")
            }
            #expect(try refusal(operation, server, server.keyHeader) == "wrong_kind_of_key", "\(operation.path)")
        }
    }

    @Test func `sessions that are forged, expired or ended, and keys that are, open nothing`() throws {
        let server = try ServerProcess()
        let operations = try operations(server, project: "default")
        let store = try SQLEventStore(path: server.folder.path + "/data/vaka.db")
        let live = try server.session()["Cookie"] ?? ""
        let expired = try server.session()["Cookie"] ?? ""
        try store.expireSession(expired)
        let ended = try server.session()["Cookie"] ?? ""
        let proof = LoginHandlers.proof(String(ended.split(separator: "=", maxSplits: 1).last ?? ""))
        let left = try server.client.send(
            "POST", "/logout", headers: ["Cookie": ended], body: Data("form=\(proof)".utf8))
        #expect(left.status == 303)
        let cookies = [
            expired, ended, "vaka_session=", "vaka_session=x", "vaka_session=" + String(repeating: "A", count: 43),
            String(live.dropLast()), live + "A", "vaka_session=' OR 1=1 --",
        ]
        let key = Secrets.makeKey()
        _ = try store.addCredential(
            Secrets.credential(.ingest, key, expires: Timestamp(milliseconds: 1)), project: 1)
        let made = try server.made("POST", "/projects/default/keys", ["name": "old"])
        guard case .integer(let id)? = made["id"], let revoked = made["secret"]?.string else {
            throw ChildProcess.Failure(description: "no key")
        }
        _ = try server.made("DELETE", "/projects/default/keys/\(id)")
        store.close()
        var looked = (pages: 0, keys: 0)
        for operation in operations where operation.scheme == "session" {
            looked.pages += 1
            for cookie in cookies {
                let code = try refusal(operation, server, ["Cookie": cookie])
                #expect(code == "no_session", "\(cookie) at \(operation.method) \(operation.path)")
            }
        }
        for operation in operations where operation.scheme == "ingestKey" {
            looked.keys += 1
            for secret in [key, revoked, server.credentials.ingestKey + "A"] {
                let code = try refusal(operation, server, ["Authorization": "Bearer \(secret)"])
                #expect(code == "invalid_credentials", "\(operation.method) \(operation.path)")
            }
        }
        #expect(looked.pages > 15 && looked.keys >= 2, "\(looked)")
        #expect(try server.client.send("GET", "/", headers: ["Cookie": live]).status == 200)
    }

    /// Ids are numbers that anybody can make up: each route is asked for what another project has.
    @Test func `no route finds anything by another project's ids, nor changes it`() throws {
        let server = try ServerProcess()
        _ = try server.made("POST", "/projects", ["name": "other"])
        #expect(try server.accepted(try Samples.batch(Samples.crash(1), Samples.crash(2))).accepted == 2)
        _ = try server.event(2)
        let event = Samples.eventID(1)
        let split = try server.made(
            "POST", "/projects/default/issues/1/split", ["events": [.string(Samples.eventID(2))]])
        #expect(split["move_id"] == 1)
        let upload = try server.made(
            "POST", "/projects/default/uploads?kind=native&size=10&sha256=" + String(repeating: "ab", count: 32))
        let ids = ["events": event, "uploads": upload["upload_id"]?.string ?? ""]
        let bodies: [String: JSONValue] = [
            "PATCH issues": ["status": "resolved"], "POST comments": ["text": "x"], "POST merge": ["into": 1],
            "POST split": ["events": [.string(event)]],
            "POST undo": [:],
        ]
        let token = try server.token("admin", "write", "upload", "images", project: "other")
        try server.addUser("eve", role: "admin", project: "other", password: Self.password)
        let session = try server.session(of: "eve", Self.password)
        let proof = LoginHandlers.proof(String(session["Cookie"]?.split(separator: "=", maxSplits: 1).last ?? ""))
        let before = try state(server)
        var looked = 0
        for operation in try operations(server, project: "other") where operation.pattern.contains("{id}") {
            guard !operation.pattern.hasPrefix("/buildid/") else { continue }
            looked += 1
            let parts = operation.pattern.split(separator: "/").map(String.init)
            let kind = parts[(parts.firstIndex(of: "{id}") ?? 1) - 1]
            let path = operation.pattern.replacing("{p}", with: "other").replacing("{id}", with: ids[kind] ?? "1")
                .replacing("{number}", with: "0")
            let answer: HTTPClient.Response
            if operation.scheme == "session" {
                let form = operation.method == "GET" ? Data() : Data("form=\(proof)&text=x&into=1&release=x".utf8)
                answer = try server.client.send(operation.method, path, headers: session, body: form)
            } else {
                let body = bodies["\(operation.method) \(parts.last == "{id}" ? kind : parts.last ?? "")"]
                answer = try server.call(
                    operation.method, String(path.dropFirst("/api/v1".utf8.count)), body, token: token)
            }
            let isEmptyList =
                answer.status == 200
                && ["attachments", "recordings"].contains { answer.text.contains("\"\($0)\":[]") }
            #expect(answer.status == 404 || isEmptyList, "\(operation.method) \(path): \(answer.status) \(answer.text)")
        }
        #expect(looked > 25, "\(looked) routes")
        #expect(try state(server) == before)
    }

    /// What the routes of the test above might change.
    private func state(_ server: ServerProcess) throws -> [JSONValue] {
        try ["issues", "issues/1", "issues/1/history", "issues/1/moves", "keys", "tokens", "alert-targets"].map {
            try server.json($0)
        }
    }

    @Test func `people open what their role says, and nothing of a project without one`() throws {
        let server = try ServerProcess()
        _ = try server.made("POST", "/projects", ["name": "other"])
        let permitted: [(name: String, role: String?, permissions: Set<Permission>)] = [
            ("admin", "admin", Role.admin.permissions), ("member", "member", Role.member.permissions),
            ("reader", "read-only", Role.readOnly.permissions), ("nobody", nil, []),
        ]
        let operations = try operations(server, project: "default").filter {
            !$0.scheme.isEmpty && $0.path != "/metrics"
        }
        for (name, role, permissions) in permitted {
            try server.addUser(name, role: role, password: Self.password)
            let session = try server.session(of: name, Self.password)
            for operation in operations {
                let code = try refusal(operation, server, session)
                let isIn = operation.scheme == "session" && (operation.permission.map(permissions.contains) ?? true)
                #expect((code == nil) == isIn, "\(name) at \(operation.method) \(operation.path): \(code ?? "in")")
            }
            // Nobody chooses a project that they have no part in.
            let page = try server.client.send("GET", "/projects", headers: session)
            #expect(page.text.contains("value=\"default\"") == (role != nil))
            #expect(!page.text.contains("value=\"other\""))
            let proof = page.text.firstMatch(of: /name="form" value="([^"]+)"/).map { String($0.1) } ?? ""
            let chosen = try server.client.send(
                "POST", "/projects", headers: session, body: Data("form=\(proof)&project=other".utf8))
            #expect(chosen.status == 403)
        }
    }

    /// Ids are numbers that anybody can make up.
    @Test func `what is of another project is not there`() throws {
        let server = try ServerProcess()
        _ = try server.made("POST", "/projects", ["name": "other"])
        #expect(try server.accepted(try Samples.batch(Samples.crash(1))).accepted == 1)
        _ = try server.event(1)
        let event = Samples.eventID(1)
        let begun = try server.made(
            "POST", "/projects/default/uploads?kind=native&size=10&sha256=" + String(repeating: "ab", count: 32))
        let upload = try #require(begun["upload_id"]?.string)
        let token = try server.token("admin", project: "other")
        func status(_ method: String, _ path: String, project: String = "other", _ body: JSONValue? = nil) throws -> Int
        {
            try server.call(method, "/projects/\(project)/" + path, body, token: token).status
        }
        let reads = [
            "issues/1", "issues/1/events", "issues/1/history", "issues/1/keys", "issues/1/moves", "issues/1/counts",
            "issues/1/affected", "events/\(event)", "events/\(event)/grouping", "events/\(event)/missing-images",
            "events/\(event)/source-links", "uploads/\(upload)",
        ]
        for path in reads {
            #expect(try server.get(path).status == 200, "\(path)")
            #expect(try status("GET", path) == 404, "\(path)")
            #expect(try status("GET", path, project: "default") == 403, "\(path)")
        }
        let changes: [(String, String, JSONValue?)] = [
            ("PATCH", "issues/1", ["status": "resolved"]), ("POST", "issues/1/comments", ["text": "x"]),
            ("POST", "issues/1/merge", ["into": 1]), ("POST", "issues/1/split", ["events": [.string(event)]]),
            ("POST", "moves/1/undo", [:]), ("DELETE", "tokens/2", nil), ("DELETE", "keys/1", nil),
            ("POST", "uploads/\(upload)/finish", nil),
        ]
        for (method, path, body) in changes {
            #expect(try status(method, path, body) == 404, "\(method) \(path)")
            #expect(try status(method, path, project: "default", body) == 403, "\(method) \(path)")
        }
        for path in [
            "issues", "releases", "installations", "artifacts", "counts", "events/\(event)/attachments", "recordings",
        ] {
            let found = try server.made("GET", "/projects/other/\(path)", token: token)
            let name = String(path.split(separator: "/").last ?? "")
            #expect(found[name]?.array.isEmpty == true, "\(path)")
        }
        #expect(try server.made("GET", "/projects/default/issues/1")["status"] == "open")
    }

    @Test func `nobody gives more than they may, and everything is taken down`() throws {
        let server = try ServerProcess()
        let admin = try server.token("admin")
        #expect(try server.call("POST", "/projects/default/tokens", ["scopes": ["server"]], token: admin).status == 403)
        #expect(try server.call("POST", "/projects/default/tokens", ["scopes": ["root"]], token: admin).status == 400)
        #expect(try server.call("POST", "/projects/default/tokens", ["scopes": ["upload"]], token: admin).status == 201)
        #expect(try server.call("PUT", "/projects/default/limits?key_items=7", token: admin).status == 200)
        #expect(try server.call("POST", "/users", ["name": "ann"], token: admin).status == 403)
        let ann = try server.made("POST", "/users", ["name": "Ann"])
        #expect(ann["name"] == "ann")
        #expect(ann["password"]?.string?.utf8.count == 43)
        #expect(try server.call("POST", "/users", ["name": "aNN"]).status == 409)
        _ = try server.session(of: "ann", ann["password"]?.string ?? "")
        let log = try server.made("GET", "/audit-log")["audit_log"]?.array ?? []
        let told = log.map { "\($0["action"]?.string ?? "") \($0["target"]?.string ?? "-")" }
        #expect(told.contains("POST /users ann"))
        #expect(told.contains("PUT /limits -"))
        let limits = try #require(log.first { $0["action"] == "PUT /limits" })
        #expect(limits["actor"]?.string?.hasPrefix(String(admin.prefix(11))) == true)
        #expect(limits["project"] == "default" && limits["address"] == "127.0.0.1")
        #expect(log.contains { $0["action"] == "login" && $0["actor"] == "ann" })
        #expect(!log.contains { ($0["target"]?.string ?? "").contains(admin) })
        // A project's own log has what is its own.
        let own = try server.made("GET", "/projects/default/audit-log?limit=1", token: admin)
        #expect(own["audit_log"]?.array.count == 1 && own["next_cursor"]?.string != nil)
    }
}

extension SQLEventStore {
    /// Of a session's cookie: its time is over.
    fileprivate func expireSession(_ cookie: String) throws {
        let hash = Secrets.hash(String(cookie.split(separator: "=", maxSplits: 1).last ?? ""))
        let changed = try write { (connection) throws(StoreError) in
            try connection.run("UPDATE web_sessions SET expires_at = 1 WHERE hash = ?", [.bytes(hash)])
        }
        #expect(changed == 1)
    }
}
