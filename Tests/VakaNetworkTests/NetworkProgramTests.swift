// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// A program with every transport registered, against real servers.
@Suite struct NetworkProgramTests {
    let run: NetworkRun

    init() throws {
        run = try NetworkRun()
    }

    /// What the servers saw of it, and what the program got, is checked besides.
    @Test func everyTransportTellsExactlyOneOrderedLifecycle() throws {
        let said = try run.run(
            "every-step", "get=/echo", "post=/echo", "upload=/echo", "download=/echo", "recording=/echo",
            "delegate=/echo",
            "async=/echo", "async-upload=/echo", "async-download=/echo", "websocket=2", "socket=2", "flush")
        #expect(
            said == [
                "200 GET ", "200 POST hello", "200 PUT " + String(repeating: "a", count: 36), "200 GET ", "200 GET ",
                "no fault", "200 GET ", "200 POST sent", "200 GET ", "talked", "connected 0", "exchanged", "true",
            ])
        #expect(
            run.servers.requests.sorted()
                == (["POST /echo 5", "PUT /echo 5000", "POST /echo 4"] + Array(repeating: "GET /echo 0", count: 6))
                .sorted())
        let records = try run.records()
        let stories = Dictionary(grouping: records) { $0.requestID ?? "" }
        #expect(stories.count == 11)
        for story in stories.values {
            let phases = story.map(\.phase)
            #expect(phases.first == .started && phases.filter { $0 == .started }.count == 1)
            #expect(phases.last == .completed && phases.filter(\.isTerminal).count == 1)
            #expect(Set(story.map(\.protocolName)).count == 1)
        }
        let numbers = records.compactMap(\.sequenceNumber)
        #expect(Set(numbers).count == records.count)
        let frames = records.filter { $0.direction != nil }
        #expect(
            frames.filter { $0.protocolName == "websocket" }.map(\.direction) == [
                .send, .receive, .send, .receive, .send,
            ])
        #expect(frames.filter { $0.protocolName == "socket" }.map(\.direction) == [.send, .receive, .send, .receive])
    }

    @Test func oneRecordForAnExchangeOfHTTP() throws {
        try run.run(
            "headers", "post=/echo", "upload=/echo", "async-upload=/echo", "download=/echo", "get=/chunked",
            "get=/status/404",
            "get=/redirect", "get-as=/echo", "flush")
        let records = try run.records()
        #expect(records.map(\.phase) == Array(repeating: .completed, count: 8))
        #expect(records.map(\.statusCode) == [200, 200, 200, 200, 200, 404, 200, 200])
        #expect(records.map(\.requestBodySize) == [5, 5000, 4, 0, 0, 0, 0, 0])
        #expect(records.map(\.responseBodySize) == [10, 5004, 9, 4, 10_000, 8, 4, 4])
        #expect(
            records.map { $0.metadata?["task"] } == [
                "data", "upload", "upload", "download", "data", "data", "data", "data",
            ])
        #expect(records.last?.url == run.servers.httpURL + "/echo")
        #expect(records.last?.path == "/echo" && records.last?.host == "127.0.0.1")
        #expect(records.allSatisfy { ($0.durationMilliseconds ?? -1) > 0 })
        #expect(records.first?.requestHeaders?["Authorization"] == "<redacted>")
        #expect(records.first?.requestHeaders?.first { $0.key.lowercased() == "x-api-key" }?.value == "<redacted>")
        #expect(records.first?.requestHeaders?["X-Plain"] == "plain")
        #expect(records.first?.responseHeaders?["Set-Cookie"] == "<redacted>")
        let all = try run.service.requests().map { "\($0.body)" }.joined()
        #expect(!all.contains("secret"))
    }

    /// The same as without a registration, byte for byte.
    @Test func redirectsErrorsCancellationAndFilesPassThroughAsWithoutIt() throws {
        let steps = [
            "get=/redirect", "get=/status/500", "get=/chunked", "refused", "cancel=/never", "download=/chunked",
            "async-download=/echo", "async=/status/404", "upload=/echo", "get=/echo",
        ]
        let registered = try run.start(steps + ["flush"]).wait()
        let plain = try run.start(["unregistered"] + steps + ["flush"]).wait()
        #expect(registered.status == .exited(0) && registered.output == plain.output)
        #expect(registered.output.contains("error -1004") && registered.output.contains("error -999"))
        let records = try run.records()
        #expect(records.count == steps.count)
        #expect(records.filter { $0.phase == .failed }.map(\.statusCode) == [nil])
        #expect(records.filter { $0.phase == .failed }.first?.error?.contains("-1004") == true)
        #expect(records.filter { $0.phase == .cancelled }.map(\.path) == ["/never"])
    }

    @Test func anUnregisteredTransportIsNotInstrumented() throws {
        let said = try run.run("unregistered", "get=/echo", "capabilities", "flush")
        #expect(try run.records().isEmpty)
        #expect(said.contains("network.transport.urlsession DISABLED HOST_OPT_IN NONE "))
    }

    @Test func aStartWithoutNetworkCaptureIsNotInitialized() throws {
        let said = try run.run("uncaptured", "get=/echo", "capabilities", "flush")
        #expect(try run.records().isEmpty)
        #expect(said.contains("network.transport.urlsession NOT_INITIALIZED NETWORK_CAPTURE_NOT_INITIALIZED NONE "))
    }

    @Test func captureIsSwitchedOffAndOnAtRunTime() throws {
        let said = try run.run("get=/echo", "off", "get=/status/204", "capabilities", "on", "get=/chunked", "flush")
        #expect(try run.records().map(\.path) == ["/echo", "/chunked"])
        #expect(said.contains("network.transport.websocket DISABLED NETWORK_CAPTURE_DISABLED NONE "))
        let told = try run.payloads(.capabilities, CapabilityReport.self)
        #expect(told.last?.capabilities.first?.state == .supported)
    }

    @Test func theServicesSwitchesAreHeeded() throws {
        try run.service.setSettings([
            "version": "1",
            "settings": [
                "network_performance": true, "network_hosts_include": ["127.0.0.1"], "network_keep_url_parts": true,
            ],
        ])
        try run.run("flush", "flush")
        try run.run("get-as=/echo", "download=/echo", "refused", "flush")
        let records = try run.records()
        #expect(records.map { $0.metadata?["measured"] } == [true, true, false])
        #expect(records.map(\.responseBodySize) == [4, 0, nil])
        #expect(records.first?.url.hasSuffix("/echo?token=secret#secret") == true)

        try run.service.setSettings(["version": "2", "settings": ["network_capture": false]])
        try run.run("flush", "flush")
        let said = try run.run("get=/echo", "capabilities", "flush")
        #expect(try run.records().count == 3)
        #expect(said.contains("network.transport.urlsession DISABLED NETWORK_CAPTURE_DISABLED NONE "))
    }

    @Test func faultsOfURLSessionAreEnforced() throws {
        let said = try run.run(
            "rule=status:status:0:2", "get=/echo", "upload=/echo", "rule=answer:response:0:1", "get=/echo",
            "rule=reset:reset:20:1", "get=/echo", "rule=slow:timeout:0:1", "async=/echo", "rule=cut:close:0:1",
            "get=/echo",
            "rule=less:drop:0:1", "get=/echo", "rule=wait:latency:60:1", "post=/echo", "rule=file:status:0:1",
            "download=/echo", "rule=told:close:0:1", "delegate=/echo", "get=/echo", "flush")
        #expect(
            said.filter { $0 != "true" } == [
                "503 ", "503 ", "418 made up", "error -1005", "error -1001", "error -1005", "200 made",
                "200 POST hello",
                "200 GET ", "closeConnection", "200 GET ",
            ])
        // Nothing of what was made up came to the server.
        #expect(run.servers.requests == ["POST /echo 5", "GET /echo 0", "GET /echo 0", "GET /echo 0"])
        let records = try run.records()
        #expect(
            records.map { $0.metadata?["fault_id"]?.string } == [
                "status", "status", "answer", "reset", "slow", "cut", "less", "wait", "file", "told", nil,
            ])
        #expect(
            records.map { $0.metadata?["fault_outcome"]?.string } == Array(repeating: "applied", count: 8)
                + ["unsupported", "evaluated", nil])
        #expect(
            records.map(\.error) == [
                nil, nil, nil, "fault:reset:error", "fault:slow:error", "fault:cut:closeConnection", nil, nil, nil, nil,
                nil,
            ])
        #expect(records.map(\.statusCode) == [503, 503, 418, nil, nil, nil, 200, 200, 200, 200, 200])
        #expect(records[7].metadata?["fault_delay_ms"] == .integer(60))
        #expect((records[7].durationMilliseconds ?? 0) >= 60 && (records[3].durationMilliseconds ?? 0) >= 20)
    }

    @Test func faultsOfARealWebSocketAndSocketAreEnforced() throws {
        let said = try run.run("rule=r:reset:10:1", "websocket=1", "rule=s:timeout:0:1", "socket=0", "flush")
        #expect(said.contains("send -1005") && said.contains("fault \(ETIMEDOUT)"))
        let failed = try run.records().filter { $0.phase == .failed }
        #expect(failed.map(\.error) == ["fault:r:error", "fault:s:error"])
        #expect(failed.map(\.protocolName) == ["websocket", "socket"])
    }

    @Test func aCrashHasTheLastExchangesFinishedAndInFlight() throws {
        let program = try run.start([
            "get=/echo", "hold=/never", "post=/status/500", "websocket=1", "say=held", "crash",
        ])
        #expect(try program.wait().status == .signalled(SIGSEGV))
        try run.run("flush")
        let event = try #require(try run.payloads(.event, Event.self).first { $0.type == .crash })
        let exchanges = event.network?.exchanges ?? []
        // Which of two that are under way began first, the queues decide.
        #expect(exchanges.map(\.phase.rawValue).sorted() == ["completed", "completed", "completed", "started"])
        #expect(Set(exchanges.map(\.statusCode)) == [200, nil, 500, 101])
        let held = exchanges.first { $0.phase == .started }
        #expect(held?.url == run.servers.httpURL + "/never" && held?.durationMilliseconds == nil)
        #expect(event.capabilities?.first { $0.id == "network.transport.urlsession" }?.state == .supported)
        #expect(event.capabilities?.count == 12 && !event.loss.contains { $0.what.contains("exchange") })
    }

    @Test func aRunThatIsKilledHasThemToo() throws {
        let program = try run.start(["hold=/never", "say=held", "get=/never"])
        try program.waitForOutput("held")
        try run.servers.waitForRequest("GET /never 0\nGET /never 0")
        program.kill(SIGKILL)
        _ = try program.wait()
        try run.run("flush")
        let event = try #require(try run.payloads(.event, Event.self).first { $0.type == .abnormal })
        #expect(event.network?.exchanges.map(\.phase) == [.started, .started])
        #expect(event.capabilities?.count == 12)
    }

    @Test func capabilitiesAreToldToTheSession() throws {
        try run.run("link=app://x/y?secret", "route=settings", "flush")
        let reports = try run.payloads(.capabilities, CapabilityReport.self)
        let report = try #require(reports.last)
        let session = try #require(try run.payloads(.session, Session.self).first)
        #expect(report.session == session.id && report.release == "app@1.0" && report.environment == "test")
        #expect(report.capabilities.count == 12)
        #expect(report.capabilities.last?.state == .supported)
        // What changed while nothing was sent is told once.
        #expect(reports.count <= 2)
    }

    @Test func afterAStopNothingIsRecordedUntilTheNextStart() throws {
        let said = try run.run(
            "route=settings", "get=/echo", "stop", "get=/status/204", "capabilities", "restart", "get=/chunked",
            "capabilities",
            "flush")
        #expect(try run.records().map(\.path) == ["/echo", "/chunked"])
        #expect(said.contains("network.transport.urlsession NOT_INITIALIZED NETWORK_CAPTURE_NOT_INITIALIZED NONE "))
        #expect(said.contains("navigation.custom NOT_INITIALIZED NOT_INITIALIZED NONE "))
        // The session's protocol is still there; a router must be registered again.
        #expect(said.contains { $0.hasPrefix("network.transport.urlsession SUPPORTED") })
        #expect(said.contains("navigation.custom DISABLED HOST_OPT_IN NONE "))
    }

    @Test func bodiesAreKeptWhereTheProgramAsksForIt() throws {
        try run.run("bodies", "post=/echo", "manual=http://u:p@h/x?y", "flush")
        let records = try run.records()
        #expect(records.first { $0.method == "POST" }?.requestBody == "hello")
        #expect(records.first { $0.method == "POST" }?.responseBody == "POST hello")
        #expect(records.first { $0.method == "QUERY" }?.url == "http://h/x")
    }
}
