// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// `vaka run` as the first process of a namespace, as in a container, around programs that know nothing of Vaka: each end
/// is one readable event on the service, and the namespace ends with the status that the program had.
@Suite(.enabled(if: geteuid() == 0)) struct FirstProcessTests {
    private let server: ServerProcess
    private let setup: RunSetup

    init() throws {
        server = try ServerProcess()
        setup = try RunSetup()
    }

    /// The words of `unshare`.
    private func namespace(_ program: [String]) -> [String] {
        let options = [
            "--url", server.credentials.url, "--key", server.credentials.ingestKey, "--release", "shop@1.0",
            "--environment", "test",
        ]
        return ["--fork", "--pid", "--mount-proc", "--kill-child", RunSetup.command] + setup.words(program, options)
    }

    private func run(_ program: [String]) throws -> ChildProcess.Result {
        try ChildProcess.run("unshare", namespace(program), environment: RunSetup.environment)
    }

    /// The only event that the service has, once `isReady` says that it is whole.
    private func event(
        _ result: ChildProcess.Result, _ isReady: (Event) -> Bool = { _ in true }
    ) throws -> Event {
        let sent = result.errors.split(separator: "\n").last { $0.hasPrefix("vaka: sent ") }
        let id = try #require(sent?.split(separator: " ").last, "\(result.errors)")
        let event = try server.eventually(seconds: 120) { () -> Event? in
            let response = try server.get("events/\(id)")
            guard response.status == 200 else { return nil }
            let event = try ModelCoding.decode(Event.self, from: response.body)
            return isReady(event) ? event : nil
        }
        let all = try issues()
        #expect(all.count == 1 && all.first?["events"] == 1)
        #expect(event.release == "shop@1.0" && event.environment == "test")
        #expect(setup.documents.isEmpty && setup.storage.waitingBatches().isEmpty)
        return event
    }

    private func issues() throws -> [[String: JSONValue]] {
        let page = try ModelCoding.decode([String: JSONValue].self, from: try server.get("issues").body)
        guard case .array(let issues)? = page["issues"] else { return [] }
        return issues.compactMap(\.object)
    }

    @Test func aRustProgramThatPanics() throws {
        let result = try run([BuildProducts.crasher("rust-panic")])
        #expect(result.status == .exited(128 + SIGABRT), "\(result.errors)")
        let event = try event(result)
        #expect(event.type == .crash && event.reason?.signal == "SIGABRT")
        #expect(event.reason?.messageSource == .stderr)
        #expect(event.reason?.message?.contains("a manifest line without a version") == true)
        #expect(event.breadcrumbs.contains { $0.category == "stderr" })
        #expect((event.crashedThread?.frames.count ?? 0) > 5)
    }

    @Test(.enabled(if: MemoryGroup.canBeMade)) func aCProgramKilledForMemory() throws {
        let group = try MemoryGroup(limit: 60_000_000)
        let hog = try MemoryGroup.hog(in: setup.storage)
        let result = try group.start("unshare", namespace([hog]), environment: RunSetup.environment).wait()
        #expect(result.status == .exited(128 + SIGKILL), "\(result.errors)")
        let event = try event(result)
        #expect(event.type == .abnormal && event.reason?.kind == .outOfMemory && event.reason?.signal == "SIGKILL")
        #expect(event.reason?.message?.hasPrefix("Killed for memory\n") == true)
        #expect(event.breadcrumbs.map(\.message) == ["loading"])
        #expect(event.contexts["process"]?["name"] == "hog")
    }

    @Test func aSwiftServerThatCrashes() throws {
        let program = BuildProducts.executable("crashing-server")
        let upload = try ChildProcess.run(
            RunSetup.command,
            [
                "upload", "debug", program, "--url", server.credentials.url, "--token", server.credentials.adminToken,
            ])
        #expect(upload.status == .exited(0), "\(upload.errors)")
        let process = try ChildProcess("unshare", namespace([program]), environment: RunSetup.environment)
        try process.waitForOutput("listening on ")
        try process.waitForOutput("\n")
        let port = try #require(process.outputSoFar.split(whereSeparator: \.isWhitespace).last)
        let client = try HTTPClient(url: "http://127.0.0.1:\(port)")
        #expect(try client.send("GET", "/2").text == "order 2: a chair\n")
        _ = try? client.send("GET", "/7")
        let result = try process.wait()
        #expect(result.status == .exited(128 + SIGILL), "\(result.errors)")
        let event = try event(result) { event in
            event.crashedThread?.frames.contains { $0.function?.contains("describeOrder") == true } == true
        }
        #expect(event.type == .crash && event.reason?.exception == "EXC_BREAKPOINT")
        #expect(
            event.reason?.message?.contains("nexpectedly found nil") == true, "\(String(describing: event.reason))")
        let frames = event.crashedThread?.frames ?? []
        for name in ["describeOrder", "answer"] {
            #expect(frames.contains { $0.function?.contains(name) == true && $0.file?.hasSuffix("main.swift") == true })
        }
        #expect(event.breadcrumbs.contains { $0.message?.hasPrefix("request of ") == true })
    }
}
