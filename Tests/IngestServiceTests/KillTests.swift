// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import EventStore
@testable import IngestService

struct KillTests {
    private static let rounds = Soak.isOn ? 100 : 5

    @Test func `kill -9 under a stream of reports loses nothing that was acknowledged and doubles nothing`()
        async throws
    {
        var server = try ServerProcess(["--workers", "2"])
        let folder = server.folder
        let ledger = StreamLedger()
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
            let listed = try last.allEvents(ofIssue: 1)
            return listed.count >= acknowledged.count ? listed : nil
        }
        #expect(Set(stored) == Set(acknowledged.map(Samples.eventID)))
        #expect(stored.count == acknowledged.count, "none is stored twice")
        #expect(try last.json("issues/1")["events"] == .integer(Int64(acknowledged.count)))
    }

    private static func sendUntilItDies(_ server: ServerProcess, _ ledger: StreamLedger) {
        while true {
            let number = ledger.take()
            guard let body = try? Samples.batch(Samples.crash(number)), let response = try? server.ingest(body) else {
                ledger.settle(number, acknowledged: false)
                return
            }
            ledger.settle(number, acknowledged: response.status == 202)
        }
    }
}
