// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

struct AccessTests {
    private static let open: Set<String> = ["/healthz", "/readyz", "/openapi.json", "/login", "/style.css", "/vaka.js"]

    /// Method, address with made-up parts, and the description's entry of every operation.
    private func operations(_ server: ServerProcess) throws -> [(method: String, path: String, entry: JSONValue)] {
        let description = try ModelCoding.decode(
            JSONValue.self, from: try server.client.send("GET", "/openapi.json").body)
        return (description["paths"]?.object ?? [:]).flatMap { path, methods in
            (methods.object ?? [:]).map { method, entry in
                let filled = path.replacing("{p}", with: "default").replacing("{id}", with: "1234")
                return (method.uppercased(), filled, entry)
            }
        }
    }

    @Test func `no route but the open ones answers without permission`() throws {
        let server = try ServerProcess()
        let operations = try operations(server)
        #expect(operations.count > 18)
        for (method, path, _) in operations where path != "/metrics" {
            let response = try server.client.send(method, path)
            if Self.open.contains(path) {
                #expect(response.status < 500 && response.status != 401, "\(method) \(path): \(response.status)")
                #expect(
                    method == "GET" || response.status == 403, "\(method) \(path) without its form: \(response.status)")
            } else {
                #expect([401, 403, 303].contains(response.status), "\(method) \(path): \(response.status)")
                #expect(!response.text.contains("issue_id"))
            }
        }
    }

    @Test func `a key, a token and a session each open their own routes only`() throws {
        let server = try ServerProcess()
        let session = try server.session()
        // Anybody chooses the colours, and is sent to a page.
        let others = Self.open.union(["/metrics", "/theme"])
        for (method, path, entry) in try operations(server) where !others.contains(path) {
            let schemes = Set((entry["security"] ?? .null).array.flatMap { $0.object.map { Array($0.keys) } ?? [] })
            let withKey = try server.client.send(method, path, headers: server.keyHeader).status
            let withToken = try server.client.send(method, path, headers: server.tokenHeader).status
            let answer = try server.client.send(method, path, headers: session)
            let withSession = answer.status
            let isSentToLogin = withSession == 303 && answer.headers["location"]?.hasPrefix("/login") != false
            #expect(
                [401, 403, 303].contains(withKey) == !schemes.contains("ingestKey"),
                "key: \(method) \(path): \(withKey)")
            #expect(
                [401, 403, 303].contains(withToken) == !schemes.contains("adminToken"),
                "token: \(method) \(path): \(withToken)")
            // Forms want their proof, too.
            let isForm = entry["requestBody"]?["content"]?["application/x-www-form-urlencoded"] != nil
            let refused = withSession == 401 || isSentToLogin || (withSession == 403 && !isForm)
            #expect(refused == !schemes.contains("session"), "session: \(method) \(path): \(withSession)")
        }
    }

    @Test func `wrong secrets are refused with a word and a way`() throws {
        let server = try ServerProcess()
        for header in [
            "Bearer vk_wrong", "Bearer " + server.credentials.ingestKey.dropLast() + "!", "Basic !!!", "Bearer",
            "Digest x",
            "Bearer " + String(repeating: "x", count: 20_000),
        ] {
            let response = try server.client.send(
                "POST", "/api/v1/ingest", headers: ["Authorization": header], body: Data("{}".utf8))
            #expect(response.status == 401, "\(header.prefix(40))")
            let error = try ModelCoding.decode(ErrorReply.self, from: response.body).error
            #expect(!error.code.isEmpty && error.message.contains("vk_"))
        }
        let otherProject = try server.client.send("GET", "/api/v1/projects/other/issues", headers: server.tokenHeader)
        #expect(otherProject.status == 404)
    }

    @Test func `the token is also taken as a password`() throws {
        let server = try ServerProcess()
        let pair = Data("anyone:\(server.credentials.adminToken)".utf8).base64EncodedString()
        let response = try server.client.send(
            "GET", "/api/v1/projects/default/issues", headers: ["Authorization": "Basic \(pair)"])
        #expect(response.status == 200)
    }

    @Test func `a one-time link logs in once, and the session ends at the button`() throws {
        let server = try ServerProcess()
        let made = try server.client.send("POST", "/api/v1/login-links?next=/issues/1", headers: server.tokenHeader)
        #expect(made.status == 201)
        let url = try ModelCoding.decode(JSONValue.self, from: made.body)["url"]?.string ?? ""
        let path = "/" + url.split(separator: "/").dropFirst(2).joined(separator: "/")
        let first = try server.client.send("GET", path)
        #expect(first.status == 303)
        #expect(first.headers["location"] == "/issues/1")
        let cookie = try #require(first.headers["set-cookie"])
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
        #expect(try server.client.send("GET", path).status == 403)

        let session = ["Cookie": String(cookie.split(separator: ";")[0])]
        let page = try server.client.send("GET", "/", headers: session)
        #expect(page.status == 200)
        #expect(page.headers["content-security-policy"]?.contains("default-src 'none'") == true)
        #expect(try server.client.send("POST", "/logout", headers: session, body: Data("form=x".utf8)).status == 403)
        let proof = try #require(page.text.firstMatch(of: /name="form" value="([^"]+)"/)?.1)
        let foreign = session.merging(["Origin": "http://evil.example"]) { first, _ in first }
        #expect(
            try server.client.send("POST", "/logout", headers: foreign, body: Data("form=\(proof)".utf8)).status == 403)
        #expect(
            try server.client.send("POST", "/logout", headers: session, body: Data("form=\(proof)".utf8)).status == 303)
        #expect(try server.client.send("GET", "/", headers: session).status == 303)
    }

    @Test func `the form logs in by the token only`() throws {
        let server = try ServerProcess()
        let form = try server.client.send("GET", "/login?next=//evil.example/")
        let proof = try #require(form.text.firstMatch(of: /name="form" value="([^"]+)"/)?.1)
        #expect(form.text.contains("name=\"next\" value=\"/\""))
        let cookie = ["Cookie": String(form.headers["set-cookie"]?.split(separator: ";").first ?? "")]
        let token = server.credentials.adminToken
        func post(_ body: String, _ headers: [String: String]) throws -> HTTPClient.Response {
            try server.client.send("POST", "/login", headers: headers, body: Data(body.utf8))
        }
        #expect(try post("form=\(proof)&token=\(token)", [:]).status == 403)
        #expect(try post("form=x&token=\(token)", cookie).status == 403)
        #expect(try post("form=\(proof)&token=va_wrong", cookie).status == 403)
        #expect(try post("form=\(proof)&token=\(server.credentials.ingestKey)", cookie).status == 403)
        let done = try post("form=\(proof)&token=\(token)&next=%2Fissues%2F3", cookie)
        #expect(done.status == 303)
        #expect(done.headers["location"] == "/issues/3")
    }

    @Test func `unknown addresses and methods are told apart`() throws {
        let server = try ServerProcess()
        #expect(try server.client.send("GET", "/nothing").status == 404)
        #expect(
            try server.client.send("GET", "/api/v1/projects/default/nothing", headers: server.tokenHeader).status == 404
        )
        let wrong = try server.client.send("DELETE", "/api/v1/projects/default/artifacts", headers: server.tokenHeader)
        #expect(wrong.status == 405)
        #expect(wrong.headers["allow"] == "GET, POST")
        for path in ["/" + String(repeating: "a", count: 5000), "/%00/%ff", "/..%2f..%2fetc/passwd", "/issues//", "//"]
        {
            let response = try server.client.send("GET", path)
            #expect([303, 400, 404, 414].contains(response.status), "\(path.prefix(30)): \(response.status)")
        }
        let link = try server.client.send("HEAD", "/healthz")
        #expect(link.status == 200)
        #expect(link.body.isEmpty)
    }

    @Test func `nonsense on the wire leaves the server standing`() throws {
        let server = try ServerProcess()
        for text in [
            "\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", String(repeating: "A", count: 200_000) + "\r\n\r\n",
            "POST /api/v1/ingest HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
            "POST /api/v1/ingest HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nZZZ\r\n",
            "GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 20_000) + "\r\n",
        ] {
            _ = try server.client.exchange(Data(text.utf8), half: true)
        }
        #expect(try server.client.send("GET", "/healthz").status == 200)
    }

    @Test func `metrics are for this machine, or a token`() throws {
        let server = try ServerProcess()
        #expect(try server.client.send("GET", "/metrics").status == 200)
        let forwarded = ["X-Forwarded-For": "203.0.113.9"]
        #expect(try server.client.send("GET", "/metrics", headers: forwarded).status == 401)
        let both = forwarded.merging(server.tokenHeader) { first, _ in first }
        #expect(try server.client.send("GET", "/metrics", headers: both).status == 200)
    }

    @Test func `clients that say nothing do not keep others waiting`() throws {
        let server = try ServerProcess()
        var idle: [Int32] = []
        defer { idle.forEach { close($0) } }
        for index in 0..<200 {
            let descriptor = try server.client.connect(seconds: 5)
            idle.append(descriptor)
            let head = index % 2 == 0 ? "GET /he" : "POST /api/v1/ingest HTTP/1.1\r\nContent-Length: 50\r\n"
            _ = head.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        }
        let start = ContinuousClock.now
        #expect(try server.accepted(try Samples.batch(Samples.crash(1))).accepted == 1)
        _ = try server.event(1)
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test func `a refused upload is answered although the body was not read`() throws {
        let server = try ServerProcess()
        let head =
            "POST /api/v1/projects/default/artifacts?kind=native HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            + "Expect: 100-continue\r\nContent-Length: 4000000000\r\n\r\n"
        let answer = String(decoding: try server.client.exchange(Data(head.utf8)), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 401"))
        #expect(answer.contains("missing_credentials"))
    }
}
