// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import CrashRecord
import Delivery
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// What dead runs left becomes batches.
@Suite struct CrashRecoveryTests {
    private let folder: TemporaryFolder
    private let queue: BatchQueue

    init() throws {
        folder = try TemporaryFolder()
        queue = try BatchQueue(
            folder: StorageFolder(path: folder.path), sdk: SDKInfo(name: "vaka-test", version: "1"))
    }

    private func write(_ name: String, _ bytes: some Sequence<UInt8>) throws {
        try Data(Array(bytes)).write(to: URL(filePath: folder.path + "/" + name))
    }

    @discardableResult
    private func recover() throws -> [Event] { try CrashRecovery(queue: queue).run(time: .now) }

    /// The items of all that waits.
    private func items() throws -> [BatchItem] {
        try queue.files().compactMap { try queue.batch($0) }.flatMap(\.items)
    }

    private func sessions() throws -> [Session] {
        try items().filter { $0.kind == .session }.map {
            try ModelCoding.decode(Session.self, from: ModelCoding.encode($0.payload))
        }
    }

    private func run(_ change: (inout SampleRunFile) -> Void = { _ in }) -> [UInt8] {
        var file = SampleRunFile()
        file.add(VAKA_CONTEXT_RUN, "watched", "15 ")
        change(&file)
        return file.bytes
    }

    @Test func anEndWithoutAWordIsToldOnce() throws {
        try write("runs/a.vakarun", run())
        let event = try #require(try recover().first)
        #expect(event.type == .abnormal && event.eventID == "0102030405060708090a0b0c0d0e0f10")
        #expect(event.reason?.kind == .killed && event.reason?.message?.hasPrefix("Killed\n") == true)
        #expect(event.timestamp == Timestamp(nanoseconds: SampleRunFile.started + 120_000_000_000))
        #expect(event.breadcrumbs.map(\.message) == ["oldest", "newest"])
        #expect(event.tags == ["flavor": "free"] && event.user == ["id": "user-7"])
        let process = event.contexts["process"]
        #expect(process?["uptime_s"] == .number(120) && process?["thread_count"] == 3)
        #expect(process?["memory"]?["resident_bytes"] == .integer(5 << 20))
        #expect(process?["memory"]?["swapped_bytes"] == .null)
        let session = try #require(try sessions().first)
        #expect(session.status == .abnormal && session.cause == "killed" && session.duration == nil)
        #expect(try recover().isEmpty)
        #expect(folder.entries("runs").isEmpty)
        #expect(try items().count == 2)
    }

    @Test func anEndThatWasAskedForIsASessionsEnd() throws {
        try write(
            "runs/a.vakarun",
            run {
                $0.state = VAKA_RUN_ASKED
                $0.askedSignal = SIGTERM
            })
        #expect(try recover().isEmpty)
        let session = try #require(try sessions().first)
        #expect(session.status == .exited && session.cause == "asked")
        // 13 November 22:13:10 to the signal, 200 s after the start.
        #expect(session.duration == 200)
    }

    /// The program that leaves partial records may never start again.
    @Test func aRecordThatWasBegunIsTakenAndAnEmptyOneRemoved() throws {
        let record = SampleRecord.bytes()
        let id = "0102030405060708090a0b0c0d0e0f10"
        try write(
            "runs/\(String(repeating: "a", count: 32)).vakacrash",
            record.prefix(900) + [UInt8](repeating: 0, count: 5000))
        try write("runs/\(String(repeating: "b", count: 32)).vakacrash", [UInt8](repeating: 0, count: 5000))
        try write("runs/\(String(repeating: "c", count: 32)).vakacrash", [])
        try write("runs/a.vakarun", run { $0.state = VAKA_RUN_CRASHING })
        let events = try recover()
        #expect(events.map(\.eventID) == [id] && events.first?.reason?.signal == "SIGILL")
        #expect(
            folder.entries("runs") == [String(repeating: "c", count: 32) + ".vakacrash"], "a crash may be making it")
        #expect(try sessions().map(\.status) == [.crashed])
    }

    @Test func aCrashWhoseRecordCouldNotBeMade() throws {
        try write("runs/a.vakarun", run { $0.state = VAKA_RUN_CRASHING })
        let event = try #require(try recover().first)
        #expect(event.type == .crash && event.threads.isEmpty && !event.loss.isEmpty)
        #expect(try sessions().map(\.status) == [.crashed])
    }

    @Test func anExchangeThatWasBeingWrittenIsToldOf() throws {
        try write("runs/a.vakarun", SampleRunFile.withATornExchange)
        let event = try #require(try recover().first)
        #expect(event.network?.exchanges.count == 1)
        #expect(event.loss.filter { $0.what.contains("exchange") }.map(\.what) == ["1 network exchange"])
    }

    @Test func whatLivesIsLeftAlone() throws {
        try write("runs/a.vakarun", run())
        try write("runs/\(String(repeating: "a", count: 32)).vakacrash", SampleRecord.bytes())
        let locks = folder.entries("runs").map { open(folder.path + "/runs/" + $0, O_RDONLY) }
        for lock in locks { #expect(flock(lock, LOCK_EX | LOCK_NB) == 0) }
        #expect(try recover().isEmpty)
        #expect(folder.entries("runs").count == 2)
        for lock in locks { close(lock) }
        #expect(try recover().count == 1, "one crash: its record and its run are the same")
    }

    /// The power went, or a disk forgot: whatever the file holds, the others are read and nothing stands in the way.
    @Test func aDamagedRunFileHoldsNothingUp() throws {
        let whole = run()
        var random = SeededRandom(seed: 85)
        let used = Int(VAKA_RUN_HEADER_BYTES) + Int(VAKA_CONTEXT_BUFFER_BYTES)
        let offsets =
            Array(0..<Int(VAKA_RUN_HEADER_BYTES))
            + (0..<60).map { _ in Int.random(in: 0..<whole.count, using: &random) }
            + (0..<60).map { _ in used + Int.random(in: 0..<600, using: &random) }
        for offset in offsets {
            var changed = whole
            changed[offset] ^= UInt8.random(in: 1...255, using: &random)
            guard let file = try? RunFile(bytes: changed) else { continue }
            if let end = RunEndFinder().end(of: file) { _ = EndedRun(file, end: end).event(id: "", arch: nil) }
        }
        let cuts = Array(0...300) + (0..<60).map { _ in Int.random(in: 0..<whole.count, using: &random) }
        for (number, cut) in cuts.enumerated() {
            try write("runs/\(number).vakarun", whole.prefix(cut))
        }
        try write("runs/a.vakarun", whole)
        mkfifo(folder.path + "/runs/pipe.vakarun", 0o600)
        try FileManager.default.createDirectory(
            atPath: folder.path + "/runs/folder.vakarun", withIntermediateDirectories: true)
        symlink("/dev/zero", folder.path + "/runs/link.vakarun")
        #expect(try recover().contains { $0.reason?.kind == .killed })
        #expect(!folder.entries("runs").contains("a.vakarun"))
    }
}
