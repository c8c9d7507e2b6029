// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import EventStore
@testable import IngestService

/// How network records, what programs could tell of and what could not be read go, through the real server.
struct NetworkRetentionTests {
    private func stop(_ server: ServerProcess) throws {
        server.process.kill(SIGTERM)
        _ = try server.process.wait()
    }

    @Test func `they go with the project's days, and what is younger stays`() throws {
        let first = try ServerProcess()
        let report = CapabilityReport(timestamp: .now, session: "s", capabilities: [])
        let told = String(decoding: try ModelCoding.encode(report), as: UTF8.self)
        _ = try first.send([
            try NetworkSamples.item(NetworkSamples.record("old"), id: "1"), NetworkSamples.versioned("9", id: "2"),
            NetworkSamples.item(told, id: "3", kind: "capabilities"),
        ])
        for name in ["network", "diagnostics", "capabilities"] { _ = try first.list(name, count: 1) }
        try stop(first)
        let connection = try SQLConnection(path: first.folder.path + "/data/vaka.db", readOnly: false)
        let twoDays = 2 * CountUnit.day.milliseconds
        for (table, column) in [
            ("network_exchanges", "received_at"), ("capability_reports", "received_at"), ("diagnostics", "at"),
        ] {
            try connection.run("UPDATE \(table) SET \(column) = \(column) - ?", [.integer(twoDays)])
        }
        connection.close()
        let second = try ServerProcess(["--keep-days", "1"], folder: first.folder)
        _ = try second.send([try NetworkSamples.item(NetworkSamples.record("new"), id: "4")], sequence: 2)
        try second.eventually {
            let ids = try second.json("network")["network"]?.array.compactMap { $0["requestId"]?.string }
            return ids == ["new"] ? true : nil
        }
        for name in ["diagnostics", "capabilities"] { _ = try second.list(name, count: 0) }
    }

    @Test func `within the disk budget records go before events, the oldest first`() throws {
        let first = try ServerProcess()
        var random = SystemRandomNumberGenerator()
        let (batches, size) = (20, 100)
        for batch in 0..<batches {
            let items = try (0..<size).map { number in
                var record = NetworkSamples.record("r")
                record.responseBody = String((0..<2500).map { _ in "abcdefghijklmnop".randomElement(using: &random)! })
                return try NetworkSamples.item(record, id: "\(batch)-\(number)")
            }
            _ = try first.send(items, sequence: batch + 1)
        }
        _ = try first.send(try (1...5).map { try Samples.item(Samples.crash($0)) }, sequence: batches + 1)
        for number in 1...5 { _ = try first.event(number) }
        let last = batches * size
        try first.eventually { try first.get("network/\(last)").status == 200 ? true : nil }
        try stop(first)
        let second = try ServerProcess(["--disk-budget", "3000000"], folder: first.folder)
        try second.eventually {
            let disk = try second.json("limits")["disk"]
            return try disk?["exhausted"] == false && second.get("network/1").status == 404 ? true : nil
        }
        let newest = try second.json("network?limit=200")["network"]?.array.compactMap { $0["id"]?.row }
        #expect(newest == (Int64(last - 199)...Int64(last)).reversed(), "no more goes than has to")
        for number in 1...5 { #expect(try second.get("events/\(Samples.eventID(number))").status == 200) }
    }
}
