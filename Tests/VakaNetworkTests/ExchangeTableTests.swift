// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing
import VakaModel

@testable import CrashRecord
@testable import Vaka

/// Which exchanges a crash takes along.
@Suite struct ExchangeTableTests {
    private final class Slots: Sendable {
        let kept = Mutex<[Int: (order: UInt64, json: [UInt8])]>([:])

        func write(_ slot: Int, _ order: UInt64, _ json: [UInt8]?) {
            kept.withLock { $0[slot] = json.map { (order, $0) } }
        }

        /// Oldest first.
        var records: [NetworkRequestEvent] {
            kept.withLock { $0.values.sorted { $0.order < $1.order } }.compactMap {
                try? ModelCoding.decode(NetworkRequestEvent.self, from: Data($0.json))
            }
        }
    }

    private let slots: Slots
    private let table: ExchangeTable

    init() {
        let slots = Slots()
        self.slots = slots
        table = ExchangeTable { slots.write($0, $1, $2) }
    }

    private func record(_ id: String, _ phase: NetworkPhase) -> NetworkRequestEvent {
        var record = NetworkRequestEvent(timestamp: .now, url: "http://h/\(id)", method: "GET", requestID: id)
        record.metadata = ["phase": .string(phase.rawValue), "task": "data"]
        return record
    }

    @Test func anExchangeInFlightStaysWhateverComesAfterIt() {
        let held = table.begin(record("held", .started))
        for number in 0..<200 { table.end(table.begin(record("\(number)", .started)), record("\(number)", .completed)) }
        #expect(slots.records.count == ExchangeTable.slots)
        #expect(slots.records.first?.requestID == "held" && slots.records.first?.phase == .started)
        #expect(slots.records.dropFirst().map(\.requestID) == (169..<200).map { "\($0)" })
        table.end(held, record("held", .completed))
        #expect(slots.records.first?.phase == .completed)
    }

    @Test func ofTooManyInFlightTheOldestGoes() {
        let tokens = (0..<40).map { table.begin(record("\($0)", .started)) }
        #expect(slots.records.map(\.requestID) == (8..<40).map { "\($0)" })
        // It comes back when it ends, as the newest.
        table.end(tokens[39], record("39", .completed))
        table.end(tokens[0], record("0", .completed))
        #expect(slots.records.last?.requestID == "0" && slots.records.count == ExchangeTable.slots)
    }

    @Test func aDroppedExchangeLeavesItsSlot() {
        table.drop(table.begin(record("a", .started)))
        #expect(slots.records.isEmpty)
    }

    @Test func aTokenOfAnotherRunMeansNothing() {
        let other = ExchangeTable { _, _, _ in }
        _ = table.begin(record("a", .started))
        table.end(other.begin(record("b", .started)), record("b", .completed))
        #expect(slots.records.map(\.requestID) == ["a", "b"])
    }

    @Test func aLongRecordIsCutToTheSlot() throws {
        var long = record("a", .failed)
        long.url = "http://h/" + String(repeating: "é", count: 5000)
        long.error = String(repeating: "\u{1}", count: 5000)
        long.requestHeaders = ["Cookie": String(repeating: "x", count: 5000)]
        long.requestBody = String(repeating: "x", count: 5000)
        long.metadata?["fault_id"] = "slow"
        let kept = try #require(ExchangeText.kept(of: long))
        #expect(kept.json.count <= 1008)
        let read = try ModelCoding.decode(NetworkRequestEvent.self, from: Data(kept.json))
        #expect(read == kept.record)
        #expect(read.phase == .failed && read.metadata?["fault_id"] == "slow" && read.metadata?["task"] == nil)
        #expect(read.requestHeaders == nil && read.requestBody == nil && read.url.hasSuffix("…"))
        long.metadata?["fault_id"] = .string(String(repeating: "x", count: 5000))
        #expect(ExchangeText.kept(of: long) == nil)
    }

    @Test func manyThreadsKeepTheSlotsWhole() {
        let table = table
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<200 {
                let id = "\(thread)-\(number)"
                table.end(table.begin(record(id, .started)), record(id, .completed))
            }
        }
        #expect(slots.records.count == ExchangeTable.slots)
        #expect(slots.records.allSatisfy { $0.phase == .completed })
    }

    @Test func aRunFileTellsThemOldestFirst() throws {
        var sample = SampleRunFile()
        let json = { (id: String) in
            #"{"eventType":"network_request","method":"GET","requestId":"\#(id)","schemaVersion":1,"#
                + #""timestamp":"2026-01-01T00:00:00.000Z","url":"http://h/"}"#
        }
        sample.exchanges = [(7, json("b")), (3, json("a")), (9, "{}"), (11, #"{"schemaVersion":2}"#)]
        let file = try RunFile(bytes: sample.bytes)
        #expect(file.network?.exchanges.map(\.requestID) == ["a", "b"])
        // One of an earlier version has none, and is read all the same.
        let short = sample.bytes.dropLast(Int(VAKA_EXCHANGE_SLOTS * VAKA_EXCHANGE_SLOT_BYTES))
        let old = try RunFile(bytes: Array(short))
        #expect(old.network == nil && old.breadcrumbs.count == file.breadcrumbs.count && old.figures != nil)
    }

    @Test func aTornSlotIsLeftOutAndCounted() {
        let whole = SampleRunFile.exchange(
            1, #"{"method":"GET","timestamp":"2026-01-01T00:00:00.000Z","url":"http://h/"}"#)
        var torn = whole
        torn[40] ^= 1
        var writing = whole
        writing.replaceSubrange(0..<8, with: [UInt8](repeating: 0, count: 8))
        var long = whole
        long[8] = 0xFF
        long[9] = 0xFF
        let slots = ExchangeSlots((whole + torn + writing + long + [UInt8](repeating: 0, count: 1024))[...])
        #expect(slots.exchanges.count == 1 && slots.torn == 3)
    }
}
