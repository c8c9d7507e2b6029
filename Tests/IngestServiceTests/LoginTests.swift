// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import IngestService

struct LoginTests {
    private static let password = "correct horse battery"

    @Test func `a user logs in by name and password, and is known by it`() throws {
        let server = try ServerProcess()
        try server.addUser("Ann@example.com", role: "member", password: Self.password)
        #expect(try server.accepted(try Samples.batch(Samples.crash(1))).accepted == 1)
        _ = try server.event(1)
        let session = try server.session(of: "ann@EXAMPLE.com", Self.password)
        let page = try server.client.send("GET", "/issues/1", headers: session)
        #expect(page.status == 200)
        let proof = try #require(page.text.firstMatch(of: /name="form" value="([^"]+)"/)?.1)
        let done = try server.client.send(
            "POST", "/issues/1/resolve", headers: session, body: Data("form=\(proof)".utf8))
        #expect(done.status == 303)
        let history = try server.json("issues/1/history")["history"]?.array ?? []
        #expect(history.first?["by"] == "ann@example.com")
    }

    @Test func `what is wrong does not tell whether there is such a user`() throws {
        let server = try ServerProcess()
        try server.addUser("ann", role: "member", password: Self.password)
        try server.addUser("out", role: "member", password: Self.password)
        _ = try server.made("PATCH", "/users/out", ["disabled": true])
        let answers = try [("ann", "wrong password!"), ("bob", "wrong password!"), ("out", Self.password), ("", "")].map
        {
            try server.logIn($0.0, $0.1, from: "192.0.2.\(($0.0 + $0.1).utf8.count)")
        }
        // Each form has a proof of its own.
        let texts = Set(answers.map { $0.text.replacing(/name="form" value="[^"]+"/, with: "") })
        #expect(Set(answers.map(\.status)) == [403])
        #expect(texts.count == 1)
        #expect(answers.allSatisfy { $0.headers["set-cookie"]?.contains("vaka_session") == false })
    }

    /// The throttle is what makes it fast: a guess that is refused costs no hash.
    @Test func `thousands of guesses are refused, and who was let in before still is`() throws {
        let server = try ServerProcess()
        try server.addUser("ann", role: "member", password: Self.password)
        _ = try server.session(of: "ann", Self.password)
        let guesses = getenv("VAKA_SOAK") == nil ? 1000 : 10_000
        let form = try server.loginForm()
        var statuses: [Int: Int] = [:]
        for number in 0..<guesses {
            // Each of another address, as of a botnet, then all of one against made-up accounts.
            let isSpread = number % 2 == 0
            let answer = try server.logIn(
                isSpread ? "ann" : "user\(number)", "guess \(number)",
                from: isSpread ? "198.51.\(number / 250 % 250).\(number % 250)" : "203.0.113.7", with: form)
            statuses[answer.status, default: 0] += 1
            if answer.status == 429 { #expect(answer.headers["retry-after"].flatMap { Int($0) } ?? 0 > 0) }
        }
        #expect(Set(statuses.keys) == [403, 429])
        #expect(statuses[403] ?? 0 <= 40, "\(statuses)")
        // From where nobody got in before, the right password waits, too; where one did, it does not.
        #expect(try server.logIn("ann", Self.password, from: "192.0.2.99").status == 429)
        #expect(try server.logIn("ann", Self.password).status == 303)
        let log = try server.made("GET", "/audit-log?limit=200")["audit_log"]?.array ?? []
        #expect(log.contains { $0["action"] == "login.failed" && $0["actor"] == "ann" })
        #expect(!log.contains { $0["actor"]?.string?.hasPrefix("user") == true })
    }

    @Test func `tokens cannot be guessed at the form either`() throws {
        let server = try ServerProcess()
        let (cookie, proof) = try server.loginForm()
        let statuses = try (0..<40).map { number in
            try server.client.send(
                "POST", "/login", headers: cookie, body: Data("form=\(proof)&token=va_\(number)".utf8)
            ).status
        }
        #expect(Set(statuses) == [403, 429])
        #expect(statuses.last == 429)
    }

    @Test func `sessions that are forged, ended, or of who is gone open nothing`() throws {
        let server = try ServerProcess()
        for (name, role) in [("ann", "admin"), ("bob", "member"), ("cid", "read-only"), ("dot", "member")] {
            try server.addUser(name, role: role, password: Self.password)
        }
        var sessions: [String: [String: String]] = [:]
        for name in ["ann", "bob", "cid", "dot"] { sessions[name] = try server.session(of: name, Self.password) }
        func status(_ cookie: [String: String]) throws -> Int {
            try server.client.send("GET", "/", headers: cookie).status
        }
        #expect(try sessions.values.allSatisfy { try status($0) == 200 })
        _ = try server.made("PATCH", "/users/ann", ["disabled": true])
        _ = try server.made("DELETE", "/users/bob")
        _ = try server.made("PATCH", "/users/cid", ["password": "another long password"])
        #expect(try server.made("DELETE", "/users/dot/sessions")["ended"] == 1)
        #expect(try sessions.values.allSatisfy { try status($0) == 303 })
        let real = try server.session(of: "dot", Self.password)["Cookie"] ?? ""
        for forged in [
            "vaka_session=", "vaka_session=x", "vaka_session=" + String(repeating: "A", count: 43),
            String(real.dropLast()), real + "A", real.uppercased(), "vaka_session=' OR 1=1 --",
        ] {
            #expect(try status(["Cookie": forged]) == 303, "\(forged)")
        }
        #expect(try status(["Cookie": real]) == 200)
    }

    @Test func `a session of a token ends with it`() throws {
        let server = try ServerProcess()
        let made = try server.made("POST", "/projects/default/tokens", ["scopes": ["read"]])
        let link = try server.made("POST", "/login-links", token: made["secret"]?.string)["url"]?.string ?? ""
        let path = "/" + link.split(separator: "/").dropFirst(2).joined(separator: "/")
        let second = try server.made("POST", "/login-links", token: made["secret"]?.string)["url"]?.string ?? ""
        let answer = try server.client.send("GET", path)
        let session = ["Cookie": String(answer.headers["set-cookie"]?.split(separator: ";").first ?? "")]
        #expect(try server.client.send("GET", "/", headers: session).status == 200)
        // It may look, and no more.
        let proof = LoginHandlers.proof(String(session["Cookie"]?.split(separator: "=", maxSplits: 1).last ?? ""))
        #expect(
            try server.client.send(
                "POST", "/issues/1/mute", headers: session, body: Data("form=\(proof)".utf8)
            ).status == 403)
        guard case .integer(let id)? = made["id"] else { throw ChildProcess.Failure(description: "no id") }
        _ = try server.made("DELETE", "/projects/default/tokens/\(id)")
        #expect(try server.client.send("GET", "/", headers: session).status == 303)
        let late = "/" + second.split(separator: "/").dropFirst(2).joined(separator: "/")
        #expect(try server.client.send("GET", late).status == 403)
    }

    @Test func `a password is changed with the present one only, and ends other sessions`() throws {
        let server = try ServerProcess()
        try server.addUser("ann", role: "member", password: Self.password)
        let other = try server.session(of: "ann", Self.password)
        let session = try server.session(of: "ann", Self.password)
        let page = try server.client.send("GET", "/account", headers: session)
        let proof = try #require(page.text.firstMatch(of: /name="form" value="([^"]+)"/)?.1)
        func change(_ fields: String, _ headers: [String: String]) throws -> HTTPClient.Response {
            try server.client.send("POST", "/account/password", headers: headers, body: Data(fields.utf8))
        }
        let right = "&password=correct+horse+battery&new_password=another+long+password"
        #expect(try change("form=x" + right, session).status == 403)
        #expect(
            try change("form=\(proof)" + right, session.merging(["Origin": "http://evil.example"]) { $1 }).status == 403
        )
        #expect(try change("form=\(proof)&password=x&new_password=another+long+password", session).status == 403)
        #expect(try change("form=\(proof)&password=correct+horse+battery&new_password=short", session).status == 400)
        let done = try change("form=\(proof)" + right, session)
        #expect(done.status == 303)
        let fresh = ["Cookie": String(done.headers["set-cookie"]?.split(separator: ";").first ?? "")]
        #expect(try [other, session].allSatisfy { try server.client.send("GET", "/", headers: $0).status == 303 })
        #expect(try server.client.send("GET", "/", headers: fresh).status == 200)
        #expect(try server.logIn("ann", Self.password).status == 403)
        #expect(try server.logIn("ann", "another long password").status == 303)
    }

    @Test func `passwords are kept as argon2id only, tokens and sessions as hashes`() throws {
        let server = try ServerProcess()
        try server.addUser("ann", role: "member", password: Self.password)
        let cookie = try server.session(of: "ann", Self.password)["Cookie"] ?? ""
        let token = try server.token("read")
        let secrets = [Self.password, String(cookie.split(separator: "=", maxSplits: 1).last ?? ""), token]
        let data = server.folder.path + "/data/"
        let kept = try ["vaka.db", "vaka.db-wal"].reduce(Data()) {
            $0 + (try Data(contentsOf: URL(filePath: data + $1)))
        }
        #expect(kept.firstRange(of: Data("$argon2id$v=19$m=65536,t=2,p=1$".utf8)) != nil)
        for secret in secrets {
            #expect(secret.utf8.count > 20)
            #expect(kept.firstRange(of: Data(secret.utf8)) == nil)
        }
        #expect(!secrets.contains { server.process.errorsSoFar.contains($0) })
    }
}
