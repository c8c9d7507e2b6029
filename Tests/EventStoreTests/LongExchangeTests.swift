// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing
import VakaModel

@testable import EventStore

/// Exchanges of thousands of records, such as those of a connection that stays open for days.
struct LongExchangeTests {
    @Test(arguments: Backend.all) func `of a long exchange the last record alone is in flight, of one that ended none`(
        _ backend: Backend
    ) throws {
        let fixture = try StoreFixture(backend)
        let entries = (0..<5000).map { SpoolEntry(kind: "network", itemID: "w\($0)", payload: Data("{}".utf8)) }
        try fixture.store.accept(entries, project: 1, from: nil)
        try fixture.store.settle()
        var number = 0
        while true {
            let items = try fixture.store.claimSpoolItems(most: 1000, bytes: 1 << 20)
            if items.isEmpty { break }
            var ready: [ReadyExchange] = []
            for item in items {
                // 4000 of one without an end, 999 of one whose end came first, and one of another installation.
                let isOver = (4000..<4999).contains(number)
                var record = NetworkRequestEvent(
                    timestamp: Timestamp(milliseconds: 1000), url: "ws://h/p", method: "GET",
                    requestID: isOver ? "over" : "open")
                let phase = number == 4000 ? NetworkPhase.completed : .progress
                record.metadata = ["phase": .string(phase.rawValue)]
                ready.append(
                    ReadyExchange(
                        sequence: item.sequence, project: 1, itemID: item.entry.itemID,
                        installID: number == 4999 ? "i2" : "i1", receivedAt: item.receivedAt,
                        record: record))
                number += 1
            }
            try fixture.store.complete(ready)
        }
        #expect(number == 5000)
        var query = NetworkQuery()
        query.state = .live
        let live = try fixture.store.exchanges(project: 1, query, after: nil, limit: 100).items
        #expect(live.map(\.record.requestID) == ["open", "open"] && live.map(\.installID) == ["i2", "i1"])
        #expect(live.map(\.id) == live.map(\.id).sorted(by: >))
        query.requestID = "over"
        #expect(try fixture.store.exchanges(project: 1, query, after: nil, limit: 100).items.isEmpty)
    }
}
