// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing
import VakaModel

@testable import EventStore
@testable import IngestService

struct KillTests {
    /// What senders know: every number tried, and those that were answered 202.
    private final class Ledger: Sendable {
        struct State {
            var next = 1
            var acknowledged: Set<Int> = []
            var open: [Int] = []
        }
        let state = Mutex(State())

        func take() -> Int {
            state.withLock { state in
                // What was not answered is sent again, as a program's queue would.
                if let number = state.open.popLast() { return number }
                state.next += 1
                return state.next - 1
            }
        }

        func settle(_ number: Int, acknowledged: Bool) {
            state.withLock { state in
                if acknowledged { state.acknowledged.insert(number) } else { state.open.append(number) }
            }
        }
    }

    private static let rounds = ProcessInfo.processInfo.environment["VAKA_SOAK"] == nil ? 5 : 100

    @Test func `kill -9 under a stream of reports loses nothing that was acknowledged and doubles nothing`()
        async throws
    {
        var server = try ServerProcess(["--workers", "2"])
        let folder = server.folder
        let ledger = Ledger()
        var generator = SeededRandom(seed: 20)
        for _ in 0..<Self.rounds {
            let current = server
            let enough = ledger.state.withLock { $0.acknowledged.count } + 5 + Int.random(in: 0..<60, using: &generator)
            let running = Monitor(4)
            for _ in 0..<4 {
                startThread {
                    Self.sendUntilItDies(current, ledger)
                    running.update { $0 -= 1 }
                }
            }
            // At a moment that the stream's own progress decides.
            try current.eventually(seconds: 60) {
                ledger.state.withLock { $0.acknowledged.count } >= enough ? true : nil
            }
            current.process.kill(SIGKILL)
            _ = running.wait(seconds: 60) { $0 == 0 ? true : nil }
            #expect(try current.process.wait().status == .signalled(SIGKILL))
            server = try ServerProcess(["--workers", "2"], folder: folder)
        }
        let last = server
        for number in ledger.state.withLock({ $0.open }) {
            #expect(try last.accepted(try Samples.batch(Samples.crash(number))).accepted == 1)
            ledger.settle(number, acknowledged: true)
        }
        let acknowledged = ledger.state.withLock { $0.acknowledged }
        #expect(acknowledged.count >= Self.rounds * 5)
        let stored = try last.eventually(seconds: 120) {
            let listed = try Self.allEvents(last)
            return listed.count >= acknowledged.count ? listed : nil
        }
        #expect(Set(stored) == Set(acknowledged.map(Samples.eventID)))
        #expect(stored.count == acknowledged.count, "none is stored twice")
        #expect(try last.json("issues/1")["events"] == .integer(Int64(acknowledged.count)))
    }

    private static func sendUntilItDies(_ server: ServerProcess, _ ledger: Ledger) {
        while true {
            let number = ledger.take()
            guard let body = try? Samples.batch(Samples.crash(number)), let response = try? server.ingest(body) else {
                ledger.settle(number, acknowledged: false)
                return
            }
            ledger.settle(number, acknowledged: response.status == 202)
        }
    }

    private static func allEvents(_ server: ServerProcess) throws -> [String] {
        var ids: [String] = []
        var cursor = ""
        repeat {
            let page = try server.json("issues/1/events?limit=200" + (cursor.isEmpty ? "" : "&cursor=\(cursor)"))
            ids += (page["events"]?.array ?? []).compactMap { $0["event_id"]?.string }
            cursor = page["next_cursor"]?.string ?? ""
        } while !cursor.isEmpty
        return ids
    }
}
