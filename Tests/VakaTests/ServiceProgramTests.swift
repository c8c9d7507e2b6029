// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Real processes and the real service.
@Suite struct ServiceProgramTests {
    let run: ProgramRun
    let service: ServerProcess

    init() throws {
        run = try ProgramRun()
        service = try ServerProcess()
    }

    private func start(_ url: String, _ steps: String...) throws -> ChildProcess {
        try ChildProcess(
            BuildProducts.executable("sdk-test-program"),
            [url, run.folder.path + "/state", "key=\(service.credentials.ingestKey)"] + steps,
            environment: ["SWIFT_BACKTRACE": "enable=no"])
    }

    @Test func aCrashShowsAllThatItsRunKnew() throws {
        let url = service.credentials.url
        let crash = try start(
            url, "named-user", "tag=shard=7", "tag=region=eu", "breadcrumbs=100", "flush=30", "crash")
        #expect(try crash.wait().status == .signalled(SIGSEGV))
        // The next run is another's.
        let next = try start(url, "release=app@2.0", "user=other", "tag=shard=8", "breadcrumbs=5", "flush=30")
        #expect(try next.wait().status == .exited(0))
        let event = try service.eventually(seconds: 60) { () -> Event? in
            for id in try service.storedItems() {
                let answer = try service.get("events/\(id)")
                guard answer.status == 200 else { continue }
                let event = try ModelCoding.decode(Event.self, from: answer.body)
                if event.type == .crash { return event }
            }
            return nil
        }
        #expect(event.breadcrumbs.map(\.message) == (0..<100).map { "step \($0)" })
        #expect(event.tags == ["shard": "7", "region": "eu"])
        #expect(event.user?["id"] == "42" && event.user?["year_of_birth"] == 1999)
        #expect(event.user?["email"] == nil && event.user?["email_hash"]?.string?.count == 64)
        #expect(event.user?["other"] == ["plan": "pro"])
        #expect(event.session?.status == .crashed && event.release == "app@1.0")
    }

    private func sendAll(_ front: ScriptedServer) throws {
        let last = try start(front.url, "untracked", "uncaught", "flush=60", "flush=60")
        #expect(try last.wait(seconds: 180).output.contains("true"))
    }

    /// Ten times, and 200 with VAKA_SOAK=1: what was taken before a kill at any moment is stored once.
    @Test func killsAtAnyMomentOfSendingLoseNothing() throws {
        let front = try ScriptedServer(default: .init(forward: service.credentials.url))
        let rounds = getenv("VAKA_SOAK") == nil ? 10 : 200
        var generator = SeededRandom(seed: 20)
        var taken: [String] = []
        for round in 0..<rounds {
            let process = try start(
                front.url, "untracked", "uncaught", "batch=40", "interval=0.03", "tracking=\(round)")
            try process.waitForOutput("\(round)-")
            usleep(useconds_t.random(in: 0...150_000, using: &generator))
            process.kill(SIGKILL)
            let result = try process.wait()
            // The last line may be half of one.
            let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
                String.init)
            taken += lines.filter { $0.hasPrefix("\(round)-") }
            // Killed again and again they leave more files than are kept.
            if round % 10 == 9 { try sendAll(front) }
        }
        try sendAll(front)
        var names: [String: String] = [:]
        for item in try front.requests().flatMap(\.items) where item["kind"] == "track" {
            names[item["id"]?.string ?? ""] = item["payload"]?["name"]?.string
        }
        // More files than are kept would be a loss of another kind.
        #expect(try front.requests().allSatisfy { $0.dropped.isEmpty })
        let stored = try service.storedItems().compactMap { names[$0] }
        #expect(Set(stored).isSuperset(of: taken), "lost: \(Set(taken).subtracting(stored).sorted().prefix(10))")
        #expect(stored.count == Set(stored).count)
        #expect(taken.count > rounds)
        #expect(run.waiting.isEmpty)
    }
}
