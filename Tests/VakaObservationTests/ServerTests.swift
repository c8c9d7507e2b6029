// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationEssentials
import Glibc
import ObservationClient
import TestSupport
import Testing
import VakaModel
import VakaObservation

@Suite struct ServerTests {
    private func error(_ response: HTTPClient.Response) throws -> String? {
        try ModelCoding.decode(JSONValue.self, from: response.body)["error"]?["code"]?.string
    }

    // MARK: Who may

    @Test func theSocketIsThisUsersAlone() throws {
        let shop = try ServedShop()
        var information = stat()
        #expect(lstat(shop.socketPath, &information) == 0)
        #expect(information.st_mode & 0o777 == 0o600 && information.st_uid == geteuid())
        #expect(try shop.client.bridgeState() != .unavailable(.sdkUnavailable))
    }

    /// Only the superuser can be another one.
    @Test(.enabled(if: geteuid() == 0)) func anotherUserIsNotServed() throws {
        let shop = try ServedShop()
        chmod(shop.folder.path, 0o711)
        chmod(shop.socketPath, 0o666)
        let script = """
            import os, socket, sys
            os.setgid(65534); os.setuid(65534)
            one = socket.socket(socket.AF_UNIX)
            one.connect(sys.argv[1])
            try:
                one.sendall(b"GET /health HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
                print(len(one.recv(4096)))
            except OSError:
                print(0)
            """
        let result = try ChildProcess.run("/usr/bin/env", ["python3", "-c", script, shop.socketPath])
        #expect(result.status == .exited(0) && result.output == "0\n", "\(result.errors)")
    }

    /// Only the superuser can give a file away.
    @Test(.enabled(if: geteuid() == 0)) func aSocketOfAnotherUserIsNotConnectedTo() throws {
        let shop = try ServedShop()
        chown(shop.socketPath, 65534, 65534)
        #expect(try shop.client.bridgeState() == .unavailable(.sdkUnavailable))
    }

    @Test func thePortWantsItsToken() throws {
        let shop = try ServedShop()
        for headers in [[:], ["Authorization": "Bearer "], ["Authorization": "Bearer x" + shop.server.token]] {
            for (method, path) in [("GET", "/health"), ("POST", "/observation/snapshot"), ("GET", "/nothing")] {
                let answer = try shop.http.send(method, path, headers: headers)
                #expect(try answer.status == 401 && error(answer) == "unauthorized")
            }
        }
        #expect(try shop.http.send("GET", "/health", headers: shop.authorization).status == 200)
        #expect(shop.host.state.withLock { $0.captures } == 0)
    }

    @Test func pagesAndNamesOfOthersAreRefused() throws {
        let shop = try ServedShop()
        let page = shop.authorization.merging(["Origin": "http://127.0.0.1"]) { $1 }
        #expect(try shop.http.send("POST", "/observation/snapshot", headers: page).status == 403)
        let rebound = "GET /health HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer \(shop.server.token)\r\n\r\n"
        let answer = String(decoding: try shop.http.exchange(Data(rebound.utf8)), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 403 "))
    }

    @Test func tokensAreNotGuessed() throws {
        let tokens = try (0..<4).map { _ in try ServedShop().server.token }
        #expect(Set(tokens).count == 4 && tokens.allSatisfy { $0.utf8.count == 64 })
        #expect(throws: ObservationServerError.self) {
            _ = try ObservationServer(ObservationServer.Options(loopbackPort: 0, token: ""))
        }
    }

    // MARK: What is answered

    @Test func healthTellsOfBothBridges() throws {
        let shop = try ServedShop(actions: nil)
        let answer = try shop.http.send("GET", "/health", headers: shop.authorization)
        let health = try ModelCoding.decode(JSONValue.self, from: answer.body)
        #expect(
            health["observationBridge"] == [
                "schemaVersion": 1, "available": .bool(false), "reason": "NOT_REGISTERED", "supportedActions": [],
            ])
        #expect(health["webViewBridge"] == ["schemaVersion": 1, "webViews": []])
        #expect(health["program"]?["name"] == "shop")
        #expect(answer.headers["cache-control"] == "no-store")
    }

    @Test func aRejectionIsAResultAndAFailureAnError() throws {
        let shop = try ServedShop()
        let action = #"{"actionJson":"{\"tap\":{\"observationIdentity\":\"1\",\"elementId\":\"buy\"}}"}"#
        func act() throws -> HTTPClient.Response {
            try shop.http.send("POST", "/observation/action", headers: shop.authorization, body: Data(action.utf8))
        }
        let rejected = try act()
        #expect(rejected.status == 200 && rejected.text == #"{"reason":"stale_observation","success":false}"#)
        shop.host.change { $0.isActive = false }
        #expect(try act().status == 409 && error(act()) == "app_not_active")
        shop.registry.unregister()
        #expect(try act().status == 503 && error(act()) == "bridge_unavailable")
    }

    @Test(arguments: [
        "", "{}", "[1]", #"{"actionJson":7}"#, #"{"actionJson":"{}"}"#, #"{"actionJson":"{\"run\":{}}"}"#,
    ])
    func whatIsNoActionIsABadRequest(body: String) throws {
        let shop = try ServedShop()
        let answer = try shop.http.send(
            "POST", "/observation/action", headers: shop.authorization, body: Data(body.utf8))
        #expect(try answer.status == 400 && error(answer) == "bad_request")
    }

    @Test func nestingWithoutEndIsABadRequest() throws {
        let shop = try ServedShop()
        for open in ["[", "{\"a\":"] {
            let body = Data(String(repeating: open, count: 100_000).utf8)
            let answer = try shop.http.send(
                "POST", "/observation/action", headers: shop.authorization, body: body)
            #expect(answer.status == 400)
        }
    }

    /// The bytes themselves, of every route that tells of the screen.
    @Test func nothingSecretGoesOverTheWire() throws {
        let shop = try ServedShop()
        for (method, path, body) in [
            ("GET", "/health", ""), ("POST", "/observation/snapshot", "{}"), ("POST", "/observation/action", "{}"),
        ] {
            let head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(shop.server.token)\r\n"
            let request = head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
            let bytes = try shop.http.exchange(Data(request.utf8))
            #expect(bytes.count > 100 && bytes.firstRange(of: Data("hunter2".utf8)) == nil)
            #expect(bytes.firstRange(of: Data(Data("hunter2".utf8).base64EncodedString().dropLast(4).utf8)) == nil)
        }
    }

    // MARK: Hostile requests

    @Test(arguments: [
        ("GET\r\n\r\n", 400), ("GET /health HTTP/2\r\n\r\n", 400), ("GET health HTTP/1.1\r\n\r\n", 400),
        ("GET /health HTTP/1.1\nHost: localhost\r\n\r\n", 400), ("GET /health HTTP/1.1\r\n Host: x\r\n\r\n", 400),
        ("GET /health HTTP/1.1\r\nHost : x\r\n\r\n", 400), ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
        ("GET /health HTTP/1.1\r\nX: \u{1}\r\n\r\n", 400),
        ("GET /" + String(repeating: "a", count: 9000), 431),
        ("GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 65) + "\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 401),
    ])
    func whatIsNotPlainlyRightIsRefused(request: String, status: Int) throws {
        let shop = try ServedShop()
        let answer = String(decoding: try shop.http.exchange(Data(request.utf8)), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(80))")
        #expect(try shop.client.snapshot().elements.count == 12)
    }

    @Test func whatIsTooLongIsNotRead() throws {
        let shop = try ServedShop()
        let head =
            "POST /observation/action HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(shop.server.token)\r\n"
        let request = head + "Content-Length: 1048577\r\n\r\n"
        let answer = String(decoding: try shop.http.exchange(Data(request.utf8)), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 413 "))
    }

    @Test func whoWaitsToBeToldToGoOnIsTold() throws {
        let shop = try ServedShop()
        let head =
            "POST /observation/snapshot HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(shop.server.token)\r\n"
        let request = head + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}"
        let answer = String(decoding: try shop.http.exchange(Data(request.utf8)), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"))
    }

    @Test func whoSaysNothingIsLetGo() throws {
        let shop = try ServedShop()
        let answer = String(decoding: try shop.http.exchange(Data("GET /health".utf8)), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 408 "))
    }

    @Test func manyIdleConnectionsDoNotKeepOthersOutForLong() throws {
        let shop = try ServedShop()
        let idle = try (0..<40).map { _ in try shop.http.connect(seconds: 30) }
        defer { idle.forEach { close($0) } }
        // Those beyond the bound are closed at once; the others when their time is over.
        try eventually(seconds: 20) { (try? shop.client.snapshot()) }
    }

    /// Anybody on the machine may connect to the port.
    @Test func whoCrowdsThePortDoesNotKeepTheSocketBusy() throws {
        let shop = try ServedShop()
        let idle = try (0..<40).map { _ in try shop.http.connect(seconds: 30) }
        defer { idle.forEach { close($0) } }
        // The last is turned away at once: the port has all that it takes.
        var byte: UInt8 = 0
        let length = recv(try #require(idle.last), &byte, 1, 0)
        #expect(length == 0)
        #expect(try shop.client.snapshot().elements.count == 12)
    }

    /// Who looks at a program that hangs is to get an answer.
    @Test func aFullConcurrencyPoolKeepsNobodyWaiting() throws {
        let shop = try ServedShop()
        let isOver = DispatchSemaphore(value: 0)
        let count = 64
        for _ in 0..<count { Task { Self.hold(isOver) } }
        defer { for _ in 0..<count { isOver.signal() } }
        #expect(try shop.client.snapshot(within: .seconds(20)).elements.count == 12)
    }

    private static func hold(_ isOver: DispatchSemaphore) { isOver.wait() }

    // MARK: Beginning and end

    @Test func aSocketThatADeadProcessLeftIsReplacedAndALivingOneIsNot() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/s"
        let script = "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])"
        #expect(try ChildProcess.run("/usr/bin/env", ["python3", "-c", script, path]).status == .exited(0))
        let options = ObservationServer.Options(socketPath: path)
        let server = try ObservationServer(options, registry: ObservationRegistry(), webViews: WebViewRegistry())
        #expect(throws: ObservationServerError.self) { try ObservationServer(options) }
        server.stop()
        #expect(folder.entries().isEmpty)
        try Data("mine".utf8).write(to: URL(filePath: path))
        #expect(throws: ObservationServerError.self) { try ObservationServer(options) }
        #expect(folder.entries() == ["s"])
    }

    @Test func aServerThatNobodyHoldsStops() throws {
        let folder = try TemporaryFolder()
        var server: ObservationServer? = try ObservationServer(
            ObservationServer.Options(socketPath: folder.path + "/s"), registry: ObservationRegistry())
        #expect(folder.entries() == ["s"] && server?.url == nil)
        server = nil
        #expect(folder.entries().isEmpty)
    }

    @Test func aPathThatIsTooLongIsTold() {
        let path = "/tmp/" + String(repeating: "x", count: 120)
        #expect(throws: ObservationServerError.self) {
            _ = try ObservationServer(ObservationServer.Options(socketPath: path))
        }
    }
}
