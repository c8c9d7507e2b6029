// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Exchanges of the odder kinds, and what of them reports take along.
@Suite struct EdgeProgramTests {
    let run: NetworkRun

    init() throws {
        run = try NetworkRun()
    }

    private static let steps = [
        "head=/echo", "get=/status/204", "continue=/echo", "stream=/echo", "file=/echo", "guarded=/guarded",
        "early=/echo", "invalidated=/never", "cached=/echo?kept", "get=/onward",
    ]

    /// The same as without a registration, byte for byte.
    @Test func oddExchangesPassThroughAsWithoutIt() throws {
        let registered = try run.start(["headers"] + Self.steps + ["flush"]).wait()
        let seen = run.servers.requests
        let plain = try run.start(["unregistered"] + Self.steps + ["flush"]).wait()
        #expect(registered.status == .exited(0) && registered.output == plain.output, "\(registered.errors)")
        #expect(registered.output.contains("error -999"))
        // The one that was given up may have come to the server or not.
        func counted(_ requests: some Sequence<String>) -> [String] {
            requests.filter { !$0.contains("/never") }.sorted()
        }
        #expect(counted(seen) == counted(run.servers.requests.dropFirst(seen.count)))

        let records = try run.records()
        #expect(
            records.map { "\($0.method) \($0.path ?? "") \($0.phase) \($0.statusCode ?? 0)" } == [
                "HEAD /echo completed 200", "GET /status/204 completed 204", "POST /echo completed 200",
                "POST /echo completed 200", "PUT /echo completed 200", "GET /guarded completed 401",
                "GET /never cancelled 0", "GET /echo completed 200", "GET /onward completed 201",
            ])
        // Nobody tells how long a stream is.
        #expect(records.map(\.requestBodySize) == [0, 0, 6, nil, 3000, 0, 0, 0, 0])
        #expect(records.map(\.responseBodySize) == [0, 0, 11, 70_005, 3004, 0, nil, 4, 4])
        #expect(records.first { $0.path == "/guarded" }?.metadata?["auth_challenge"] == true)
        #expect(records.filter { $0.metadata?["from_cache"] == true }.map(\.method) == ["GET"])
        #expect(records.first { $0.metadata?["from_cache"] == true }?.path == "/echo")
        // Each is one exchange.
        #expect(Set(records.compactMap(\.requestID)).count == records.count)
        let onward = records.first { $0.path == "/onward" }
        #expect(onward?.responseHeaders?["Location"] == "/elsewhere")
        let all = try run.service.requests().map { "\($0.body)" }.joined()
        #expect(!all.contains("secret"))
    }

    @Test func capturedErrorsAndMessagesHaveTheLastExchangesToo() throws {
        try run.run("headers", "bodies", "get-as=/echo", "hold=/never", "post=/status/500", "capture", "flush")
        let events = try run.payloads(.event, Event.self)
        #expect(events.map(\.type) == [.error, .message])
        for event in events {
            let exchanges = event.network?.exchanges ?? []
            #expect(exchanges.map(\.path) == [nil, nil, nil], "no more than a crash has")
            #expect(exchanges.map(\.phase) == [.completed, .started, .completed])
            #expect(
                exchanges.map(\.url) == ["/echo", "/never", "/status/500"].map { run.servers.httpURL + $0 })
            #expect(exchanges.map(\.statusCode) == [200, nil, 500])
            #expect(
                exchanges.allSatisfy { $0.requestHeaders == nil && $0.requestBody == nil && $0.responseBody == nil })
            #expect(event.capabilities?.count == 12 && event.capabilities?.first?.state == .supported)
        }
        #expect(try !run.service.requests().map { "\($0.body)" }.joined().contains("secret"))
    }

    @Test func whatCapturesNothingHasNoExchangesInItsErrors() throws {
        try run.run("unregistered", "get=/echo", "capture", "flush")
        for event in try run.payloads(.event, Event.self) {
            #expect(event.network == nil && event.capabilities?.first?.reason == .hostOptIn)
        }
        #expect(try run.payloads(.event, Event.self).count == 2)
    }

    @Test func anExchangeThatLastsAcrossARestartIsInTheCrashToo() throws {
        let program = try run.start(["get=/echo", "hold=/never", "stop", "restart", "crash"])
        #expect(try program.wait().status == .signalled(SIGSEGV))
        try run.run("flush")
        let event = try #require(try run.payloads(.event, Event.self).first { $0.type == .crash })
        // What ended before is of the run before.
        #expect(event.network?.exchanges.map(\.phase) == [.started])
        #expect(event.network?.exchanges.first?.url == run.servers.httpURL + "/never")
    }
}
