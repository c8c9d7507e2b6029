// SPDX-License-Identifier: Apache-2.0
import CrashRecord
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

/// Watches of the C core: what is a hang, and what is none.
@Suite struct HangTests {
    private let once = "loop hangs, a record\nloop goes on, a record\n"

    @Test func aLoopThatSpins() throws {
        let captured = try Captured.watches("loop")
        #expect(captured.result.status == .exited(0))
        #expect(captured.result.output == once + "in time\n")
        let record = try captured.record()
        #expect(record.isWhole)
        let event = record.event()
        #expect(event.type == .hang)
        #expect(event.level == .error)
        #expect(event.hang?.watch == "loop")
        #expect(event.hang?.bound == 0.2)
        #expect((event.hang?.stuck ?? 0) >= 0.2)
        #expect(event.loss.isEmpty, "\(event.loss)")
        #expect(event.threads.map(\.name) == ["watches", "vaka-watch"])
        #expect(event.threads.map(\.current) == [true, nil])
        #expect((event.threads.first?.stack?.data.count ?? 0) > 1024)
        #expect(event.contexts["process"]?["hang"] == nil, "the event itself tells of it")
    }

    @Test func aSleep() throws {
        let captured = try Captured.watches("sleep")
        #expect(captured.result.status == .exited(0))
        #expect(captured.result.output == once)
    }

    /// Reported once a minute; each is told.
    @Test func againAndAgain() throws {
        let captured = try Captured.watches("again")
        #expect(captured.result.status == .exited(0))
        let later = once.replacing("a record", with: "no record")
        #expect(captured.result.output == once + later + later)
        #expect(captured.crashes.count == 1)
    }

    @Test func aQueueThatDoesNotAnswer() throws {
        let captured = try Captured.watches("queue")
        #expect(captured.result.status == .exited(0))
        #expect(captured.result.output == "main hangs, a record\nmain goes on, a record\nin time\n")
        let event = try captured.record().event()
        #expect(event.hang?.watch == "main")
        #expect(event.threads.first?.current == true, "the main thread is known to serve it")
    }

    /// Everything sleeps in the moment that it has answered: it is asked again, if later.
    @Test func aHangRightAfterAnAnswer() throws {
        #expect(try Captured.watches("at-once", "100").result.output == "main hangs, a record\n")
    }

    // MARK: None

    @Test func whatGoesOnOrIsIdle() throws {
        let captured = try Captured.watches("healthy", "500")
        #expect(captured.result.output == "ready\nover\n")
        #expect(captured.crashes.isEmpty)
    }

    @Test func aStoppedProcess() throws {
        let storage = try TemporaryFolder()
        let process = try ChildProcess(try TestPrograms.watches(), [storage.path, "healthy", "600"])
        try process.waitForOutput("ready")
        for _ in 0..<2 {
            usleep(300_000)
            process.kill(SIGSTOP)
            usleep(1_500_000)
            process.kill(SIGCONT)
        }
        #expect(try process.wait().output == "ready\nover\n")
        #expect(storage.entries("crashes").isEmpty)
    }

    /// It is ready all the time, and hardly gets to run.
    @Test func anOverloadedMachine() throws {
        #expect(try Captured.watches("starved", "500").result.output == "0 hangs\n")
    }

    @Test func whatNeverAnswered() throws {
        #expect(try Captured.watches("never").result.output == "0 hangs, 1 pings\n")
    }

    @Test func aProgramThatSleeps() throws {
        #expect(try Captured.watches("asleep", "500").result.output == "0 hangs\n")
    }

    // MARK: The run

    @Test func aKillWhileItHangsIsInTheRunFile() throws {
        let storage = try TemporaryFolder()
        let process = try ChildProcess(try TestPrograms.watches(), [storage.path, "deadlock"])
        try process.waitForOutput("loop hangs")
        process.kill(SIGKILL)
        _ = try process.wait()
        let name = try #require(storage.entries("runs").first { $0.hasSuffix(".vakarun") })
        let run = try RunFile(contentsOf: storage.path + "/runs/" + name)
        let hang = try #require(run.hang)
        #expect(hang.watch == "loop")
        #expect(hang.since >= run.started)
        #expect(storage.entries("crashes") == ["\(hang.eventID ?? "").vakacrash"])
        let event = try CrashRecordFile(contentsOf: storage.path + "/crashes/" + storage.entries("crashes")[0]).event()
        #expect(event.threads.map(\.name) == ["watches", "vaka-watch", "other"])
    }

    @Test func aHangThatIsOverIsNotInTheRunFile() throws {
        let storage = try TemporaryFolder()
        let process = try ChildProcess(try TestPrograms.watches(), [storage.path, "again"])
        try process.waitForOutput("goes on, a record")
        let name = try #require(storage.entries("runs").first { $0.hasSuffix(".vakarun") })
        // The second hang begins at once, but is noted after its bound only.
        #expect(try RunFile(contentsOf: storage.path + "/runs/" + name).hang?.eventID == nil)
        _ = try process.wait()
    }

    @Test func aCrashWhileItHangs() throws {
        let captured = try Captured.watches("then-crash")
        #expect(captured.result.status == .signalled(SIGSEGV))
        let events = try captured.events()
        let hang = try #require(events.first { $0.type == .hang })
        let crash = try #require(events.first { $0.type == .crash })
        #expect(events.count == 2)
        #expect(crash.contexts["process"]?["hang"]?["watch"]?.string == "loop")
        #expect(crash.contexts["process"]?["hang"]?["event_id"]?.string == hang.eventID)
        #expect(crash.threads.count == 3)
    }

    // MARK: Watches

    @Test func stoppedWatchesTellNothing() throws {
        let captured = try Captured.watches("stopped-watch")
        #expect(captured.result.status == .exited(0))
        #expect(captured.result.output == "other hangs, a record\nthird hangs, a record\n")
    }

    @Test func theirNumberIsBounded() throws {
        let lines = try Captured.watches("too-many").result.output.split(separator: "\n")
        #expect(lines.first == "\"one of many\" is not watched: vaka_crash_install() comes first")
        #expect(
            lines.dropFirst().first
                == "32, then \"one of many\" is not watched: there are 32 watches already; stop another")
        #expect(lines.dropFirst(2).first == "one more")
        #expect(lines.last == "a watch needs a name: set size and name of vaka_crash_watch_config")
    }

    @Test func aForkedChildHasWatchesOfItsOwn() throws {
        let captured = try Captured.watches("forked")
        #expect(captured.result.status == .exited(0), "\(captured.result.output) \(captured.result.errors)")
        #expect(captured.result.output == "child hangs, a record\n")
    }
}
