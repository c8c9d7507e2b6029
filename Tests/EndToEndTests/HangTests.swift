// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Hangs and snapshots of a Swift program, as the real service shows them.
@Suite struct HangTests {
    private static let program = BuildProducts.executable("sdk-test-program")
    private let folder: TemporaryFolder
    private let server: ServerProcess

    init() throws {
        folder = try TemporaryFolder()
        server = try ServerProcess()
        let uploaded = try ChildProcess.run(
            BuildProducts.executable("vaka"),
            [
                "upload", "debug", Self.program, "--url", server.credentials.url, "--token",
                server.credentials.adminToken,
            ])
        #expect(uploaded.status == .exited(0), "\(uploaded.errors)")
    }

    private func start(_ steps: String...) throws -> ChildProcess {
        try ChildProcess(
            Self.program,
            [server.credentials.url, folder.path + "/state", "key=\(server.credentials.ingestKey)", "interval=0.2"]
                + steps,
            environment: ["SWIFT_BACKTRACE": "enable=no"])
    }

    private func events(_ type: EventType) throws -> [Event] {
        let list = try ModelCoding.decode([String: JSONValue].self, from: try server.get("issues").body)
        guard case .array(let issues)? = list["issues"] else { return [] }
        return try issues.filter { $0["type"]?.string == type.rawValue }.compactMap { $0["latest_event_id"]?.string }
            .map { try ModelCoding.decode(Event.self, from: try server.get("events/\($0)").body) }
    }

    /// The main thread and another one, each with a lock that the other wants.
    @Test func aDeadlockHasBothStacksAndItsEnd() throws {
        let process = try start("hangs=0.5", "serve=1", "deadlock")
        let hang = try server.eventually(seconds: 60) { try events(.hang).first }
        #expect(hang.hang?.watch == "main")
        #expect(hang.hang?.outcome == nil)
        let stuck = hang.threads.filter { $0.frames.contains { $0.function?.hasPrefix("takeSecond(") == true } }
        #expect(stuck.count == 2)
        #expect(stuck.first?.current == true)
        #expect(stuck.first?.id == Int(process.processID))
        for thread in stuck {
            let frame = try #require(thread.frames.first { $0.function?.hasPrefix("takeSecond(") == true })
            #expect(frame.file?.hasSuffix("/main.swift") == true)
            #expect(frame.line != nil)
        }
        #expect(hang.threads.allSatisfy { !$0.frames.isEmpty })
        let page = try ModelCoding.decode([String: JSONValue].self, from: try server.get("issues").body)
        guard case .array(let issues)? = page["issues"] else { return }
        let title = issues.first { $0["type"] == "hang" }?["title"]?.string ?? ""
        #expect(title.hasPrefix("\"main\" hangs in takeSecond"), "\(title)")

        process.kill(SIGKILL)
        _ = try process.wait()
        _ = try start("untracked", "flush=30").wait()
        let abnormal = try server.eventually(seconds: 60) { try events(.abnormal).first }
        #expect(abnormal.contexts["process"]?["hang"]?["watch"]?.string == "main")
        #expect(abnormal.contexts["process"]?["hang"]?["event_id"]?.string == hang.eventID)
        let ended = try server.eventually(seconds: 60) { try events(.hang).first { $0.hang?.outcome != nil } }
        #expect(ended.hang?.outcome == .ended)
        #expect(ended.eventID == hang.eventID)
    }

    @Test func aHangThatIsOverSaysForHowLong() throws {
        let go = folder.path + "/go"
        let process = try start("hangs=0.5", "serve=1", "spin=\(go)", "serve=1", "flush=30")
        _ = try server.eventually(seconds: 60) { try events(.hang).first }
        try Data().write(to: URL(filePath: go))
        #expect(try process.wait().status == .exited(0))
        let over = try server.eventually(seconds: 60) { try events(.hang).first { $0.hang?.outcome != nil } }
        #expect(over.hang?.outcome == .recovered)
        #expect((over.hang?.duration ?? 0) >= (over.hang?.stuck ?? .infinity))
        #expect(over.subjectThread?.frames.contains { $0.function?.hasPrefix("spin(") == true } == true)
    }

    @Test func aSnapshotIsNoCrash() throws {
        #expect(try start("snapshot=slow request", "flush=30").wait().status == .exited(0))
        let event = try server.eventually(seconds: 60) { try events(.snapshot).first }
        #expect(event.reason?.message == "slow request")
        let frames = try #require(event.subjectThread).frames
        let own = frames.prefix { $0.inApp != true }
        #expect(
            own.contains { $0.function?.contains("Vaka.snapshot") == true },
            "the reporter's own frames are not the app's")
        #expect(frames.first { $0.inApp == true }?.function?.hasPrefix("takeSnapshot(") == true)
        let releases = try ModelCoding.decode([String: JSONValue].self, from: try server.get("releases").body)
        guard case .array(let list)? = releases["releases"] else { return }
        #expect(list.first?["crashes"] == 0)
        #expect(list.first?["crashed_sessions"] == 0)
    }
}
