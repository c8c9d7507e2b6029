// SPDX-License-Identifier: Apache-2.0
import CVakaDigest
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Alerts, with real servers that get them.
struct AlertTests {
    private static let loopback = ["--alert-network", "127.0.0.0/8"]

    @Test func `a new issue and a regression are told once each, signed`() throws {
        let target = try ScriptedServer(default: .init(status: 204))
        let server = try ServerProcess(Self.loopback)
        let added = try server.add("webhook", target.url + "/hook?x=1")
        let secret = try #require(added["secret"]?.string)
        #expect(try server.json("alert-targets")["alert_targets"]?.array.first?["secret"] == nil, "it is shown once")

        _ = try server.accepted(try Samples.batch(Samples.crash(1, message: "first"), Samples.crash(2)))
        _ = try server.event(2)
        let request = try #require(try target.waitForRequests(1).first)
        #expect(request.method == "POST" && request.path == "/hook?x=1")
        #expect(request.body["kind"]?.string == "new_issue")
        #expect(request.body["alert_version"] == .integer(1))
        #expect(request.body["url"]?.string == server.credentials.url + "/issues/1")
        #expect(request.body["details"]?["release"]?.string == "app@1.0")
        #expect(request.body["details"]?["event_id"]?.string == Samples.eventID(1))
        try check(request, secret: secret)

        _ = try server.change("issues/1", ["status": "resolved", "release": "app@1.0"])
        var again = Samples.crash(3)
        again.timestamp = .now
        _ = try server.accepted(try Samples.batch(again))
        _ = try server.event(3)
        let requests = try target.waitForRequests(2)
        #expect(requests.map { $0.body["kind"]?.string } == ["new_issue", "regression"])
        try check(requests[1], secret: secret)
        let log = try server.eventually {
            let log = try server.json("alerts")["alerts"]?.array ?? []
            return log.allSatisfy { $0["state"]?.string == "delivered" } ? log : nil
        }
        #expect(log.map { $0["kind"]?.string } == ["regression", "new_issue"])
        #expect(try target.requests().count == 2)
    }

    @Test func `an alert outlives kill -9 and a target that is down, and comes once`() throws {
        let target = try ScriptedServer(answers: [.init(status: 503)], default: .init(status: 200))
        let server = try ServerProcess(Self.loopback)
        _ = try server.add("webhook", target.url)
        _ = try server.accepted(try Samples.batch(Samples.crash(1)))
        let first = try #require(try target.waitForRequests(1).first)
        try server.eventually { try server.alert { $0["attempts"] == .integer(1) } }
        server.process.kill(SIGKILL)
        _ = try server.process.wait()
        let second = try ServerProcess(Self.loopback, folder: server.folder)
        let done = try second.eventually { try second.alert { $0["state"]?.string == "delivered" } }
        #expect(done["attempts"] == .integer(2))
        #expect(done["last_error"] == .null)
        let requests = try target.requests()
        #expect(requests.map(\.status) == [503, 200])
        #expect(requests[1].headers["x-vaka-alert-id"] == first.headers["x-vaka-alert-id"], "it is known by its id")
    }

    @Test func `a flood of new issues is told, not sent`() throws {
        let target = try ScriptedServer(default: .init(status: 200))
        let server = try ServerProcess(Self.loopback)
        _ = try server.add("webhook", target.url)
        let events = (1...200).map { number in
            var event = Samples.crash(number, function: "app.problem\(number)()")
            event.threads[0].frames[0].relativeAddress = HexAddress(UInt64(number))
            return event
        }
        _ = try server.accepted(Samples.batch(try events.map { try Samples.item($0) }))
        _ = try server.event(200)
        let kinds = try server.eventually(seconds: 120) {
            let kinds = try target.requests().compactMap { $0.body["kind"]?.string }
            return kinds.count >= 61 ? kinds : nil
        }
        #expect(kinds.filter { $0 == "new_issue" }.count == 60)
        #expect((1...2).contains(kinds.filter { $0 == "more" }.count), "once an hour")
    }

    @Test func `what is gone for good is given up, and says why`() throws {
        let target = try ScriptedServer(default: .init(status: 410))
        let server = try ServerProcess(Self.loopback)
        let id = try server.add("webhook", target.url)["id"]
        _ = try server.accepted(try Samples.batch(Samples.crash(1)))
        let alert = try server.eventually { try server.alert { $0["state"]?.string == "given_up" } }
        #expect(alert["last_error"]?.string == "answered 410: it is gone for good")
        guard case .integer(let number)? = id else { return }
        let gone = try server.ask("POST", "alert-targets/\(number)/remove")
        #expect(gone.status == 200)
        #expect(try server.json("alerts")["alerts"]?.array == [])
    }

    @Test func `a redirect is not followed, and a broken target says so at once`() throws {
        let inside = try ScriptedServer()
        let target = try ScriptedServer(default: .init(status: 302, headers: ["Location": inside.url + "/inside"]))
        let server = try ServerProcess(Self.loopback)
        let test = try server.test(try server.add("slack", target.url))
        #expect(test["state"]?.string == "waiting")
        #expect(test["last_error"]?.string == "answered with a redirect (302), which is not followed")
        #expect(try inside.requests().isEmpty)
    }

    @Test(arguments: [
        "http://127.0.0.1/", "http://localhost:8080/", "http://[::1]/", "http://0.0.0.0/", "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/",
        "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/", "http://[fe80::1]/", "http://127.1/",
        "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/", "http://user@example.com/",
        "http://example.com@127.0.0.1/", "http://127.0.0.1\\@example.com/", "ftp://example.com/", "file:///etc/passwd",
        "http://a b/", "http://example.com:0/", "http://example.com:99999/", "//example.com/", "http://", "",
    ]) func `an address of the server's own network is refused`(_ address: String) throws {
        let server = try ServerProcess()
        let answer = try server.send(
            "POST", "alert-targets", ["channel": "webhook", "address": .string(address)])
        #expect(answer.status == 400, "\(answer.text)")
        #expect(answer.text.contains("\\\"address\\\" "))
        #expect(try server.json("alert-targets")["alert_targets"]?.array == [])
    }

    /// A name may get another address after it was taken: it is looked at again at each delivery.
    @Test func `what is no longer allowed is not reached`() throws {
        let target = try ScriptedServer()
        let server = try ServerProcess(Self.loopback)
        let added = try server.add("webhook", target.url)
        server.process.kill(SIGTERM)
        _ = try server.process.wait()
        let second = try ServerProcess(folder: server.folder)
        let test = try second.test(added)
        #expect(test["state"]?.string == "waiting")
        #expect(test["last_error"]?.string?.contains("is in no public network") == true, "\(test)")
        #expect(try target.requests().isEmpty)
    }

    @Test func `a chat gets a line that it cannot take for markup`() throws {
        let target = try ScriptedServer(default: .init(status: 200))
        let server = try ServerProcess(Self.loopback)
        _ = try server.add("slack", target.url, kinds: ["new_issue"])
        let event = Samples.crash(1, function: "f<!channel>(a & b)")
        _ = try server.accepted(try Samples.batch(event))
        let text = try #require(try target.waitForRequests(1).first?.body["text"]?.string)
        #expect(text.hasPrefix("[default] new issue: "))
        #expect(text.contains("f&lt;!channel&gt;(a &amp; b)"))
        #expect(text.hasSuffix(server.credentials.url + "/issues/1"))
    }

    @Test func `a mail has the text, and nothing else in its head`() throws {
        let mails = try MailServer()
        let server = try ServerProcess([
            "--smtp", "smtp+plain://127.0.0.1:\(mails.port)", "--mail-from", "vaka@example.org",
        ])
        _ = try server.add("email", "ann@example.com")
        var event = Event(
            eventID: Samples.eventID(1), type: .error, timestamp: .now, level: .error, arch: "x86_64")
        event.errors = [
            ReportedError(
                type: "Straße\r\nBcc: eve@example.com",
                message: "größer als erlaubt: " + String(repeating: "ä", count: 200))
        ]
        _ = try server.accepted(try Samples.batch(event))
        let mail = try server.eventually { try mails.mails().first }
        #expect(mail["from"]?.string == "vaka@example.org")
        #expect(mail["to"] == ["ann@example.com"])
        #expect(mail["subject"]?.string?.contains("Straße") == true, "\(mail)")
        #expect(mail["text"]?.string?.contains("/issues/1") == true)
        #expect(mail["headers"]?.array.contains("bcc") == false)
        guard case .integer(let longest)? = mail["longest"] else { return }
        #expect(longest <= 78)
    }

    @Test func `without TLS no mail is given to a server that should have it`() throws {
        let mails = try MailServer()
        let server = try ServerProcess(["--smtp", "smtp://127.0.0.1:\(mails.port)", "--mail-from", "vaka@example.org"])
        let test = try server.test(try server.add("email", "ann@example.com"))
        #expect(test["state"]?.string == "waiting")
        #expect(test["last_error"]?.string?.contains("STARTTLS") == true, "\(test)")
        #expect(try mails.mails().isEmpty)
        for wrong in ["ann", "a@b@c", "ann@", "a\r\nb@c.d", "<ann@example.com>"] {
            let answer = try server.send("POST", "alert-targets", ["channel": "email", "address": .string(wrong)])
            #expect(answer.status == 400)
        }
    }

    @Test func `many events, and sessions that crash, are told once a day`() throws {
        let target = try ScriptedServer(default: .init(status: 200))
        let server = try ServerProcess(Self.loopback)
        _ = try server.add("webhook", target.url, kinds: ["spike", "crash_free_drop"])
        let hour: Int64 = 3_600_000
        let now = Timestamp.now.milliseconds
        var items: [String] = []
        for number in 1...31 {
            var event = Samples.crash(number)
            event.timestamp = Timestamp(milliseconds: number == 1 ? now - 30 * hour : now)
            items.append(try Samples.item(event))
        }
        for number in 1...240 {
            let isBefore = number <= 120
            // A day is looked at until five minutes after it.
            let seen = now - 300_000
            let started = Timestamp(milliseconds: isBefore ? seen / (24 * hour) * (24 * hour) - 5 * hour : seen)
            let status = !isBefore && number % 10 == 0 ? "crashed" : "ok"
            items.append(
                """
                {"kind":"session","id":"s\(number)","payload":{"id":"s\(number)","started":"\(started)",\
                "status":"\(status)","release":"app@\(isBefore ? 1 : 2)"}}
                """)
        }
        _ = try server.accepted(Samples.batch(items))
        _ = try server.event(31)
        try server.eventually {
            let days = try server.json("health")["health"]?.array ?? []
            return days.count == 2 && days.allSatisfy { $0["sessions"] == .integer(120) } ? true : nil
        }
        // Looked for at the start, and then once a minute.
        server.process.kill(SIGTERM)
        _ = try server.process.wait()
        let second = try ServerProcess(Self.loopback, folder: server.folder)
        let requests = try target.waitForRequests(2)
        #expect(Set(requests.compactMap { $0.body["kind"]?.string }) == ["spike", "crash_free_drop"])
        let spike = requests.first { $0.body["kind"]?.string == "spike" }
        #expect(spike?.body["details"]?["events"] == .integer(30))
        let drop = requests.first { $0.body["kind"]?.string == "crash_free_drop" }
        #expect(drop?.body["title"]?.string == "app@2")
        #expect(drop?.body["details"]?["crash_free_today"] == .number(0.9))
        second.process.kill(SIGTERM)
        _ = try second.process.wait()
        let third = try ServerProcess(Self.loopback, folder: server.folder)
        _ = try third.accepted(try Samples.batch(Samples.crash(40)))
        _ = try third.event(40)
        #expect(try target.requests().count == 2)
    }

    /// By another implementation than the server's.
    private func check(_ request: ScriptedServer.Request, secret: String) throws {
        let time = try #require(request.headers["x-vaka-timestamp"])
        let message = Array("\(time).".utf8) + (try ModelCoding.encode(request.body))
        var mac = [UInt8](repeating: 0, count: 32)
        vaka_hmac_sha256(Array(secret.utf8), secret.utf8.count, message, message.count, &mac)
        let hex = mac.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(request.headers["x-vaka-signature"] == "v1=\(hex)")
    }
}

extension ServerProcess {
    /// Without a body.
    fileprivate func ask(_ method: String, _ path: String) throws -> HTTPClient.Response {
        try client.send(method, "/api/v1/projects/\(credentials.project)/\(path)", headers: tokenHeader)
    }

    func add(_ channel: String, _ address: String, kinds: [JSONValue]? = nil) throws -> JSONValue {
        var fields: [String: JSONValue] = ["channel": .string(channel), "address": .string(address)]
        fields["kinds"] = kinds.map { .array($0) }
        let answer = try send("POST", "alert-targets", .object(fields))
        guard answer.status == 201 else { throw ChildProcess.Failure(description: answer.text) }
        return try ModelCoding.decode(JSONValue.self, from: answer.body)
    }

    fileprivate func test(_ target: JSONValue) throws -> JSONValue {
        guard case .integer(let id)? = target["id"] else { throw ChildProcess.Failure(description: "\(target)") }
        return try ModelCoding.decode(
            JSONValue.self, from: try ask("POST", "alert-targets/\(id)/test").body)
    }

    /// The newest alert, where it is so.
    fileprivate func alert(_ condition: (JSONValue) -> Bool) throws -> JSONValue? {
        guard let alert = try json("alerts")["alerts"]?.array.first, condition(alert) else { return nil }
        return alert
    }
}
