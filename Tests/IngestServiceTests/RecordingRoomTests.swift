// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import VakaModel

@testable import EventStore

/// Recordings go when their time is over, and before all else when there is no room.
struct RecordingRoomTests {
    private static let name = String(repeating: "0c", count: 16)

    /// A part of about 60 KB that does not compress.
    private func part(_ number: Int) throws -> String {
        var random = SystemRandomNumberGenerator()
        var part = Recording(
            recordingID: Self.name, part: number, started: .now, privacy: .none, quality: .high)
        let drawings = (0..<50).map { _ in
            let noise = (0..<100).map { _ in String(random.next(), radix: 36) }.joined()
            return RecordingDrawing(kind: .text, x: 0, y: 0, width: 9, height: 9, text: String(noise.prefix(1000)))
        }
        part.frames = [
            RecordingFrame(
                at: 0, width: 10, height: 10, changes: [RecordingChange(index: 0, removed: 0, drawings: drawings)])
        ]
        let payload = String(decoding: try ModelCoding.encode(part), as: UTF8.self)
        return "{\"kind\":\"recording\",\"id\":\"part \(number)\",\"payload\":\(payload)}"
    }

    private func fill(_ server: ServerProcess, _ count: Int) throws {
        for number in 0..<count { #expect(try server.accepted(Samples.batch([try part(number)])).accepted == 1) }
        try server.eventually { try parts(server).count == count ? true : nil }
    }

    private func parts(_ server: ServerProcess) throws -> [Int] {
        try server.json("recordings?limit=200")["recordings"]?.array.compactMap { row in
            if case .integer(let part)? = row["part"] { Int(part) } else { nil }
        } ?? []
    }

    private func restart(_ server: ServerProcess, _ arguments: [String]) throws -> ServerProcess {
        server.process.kill(SIGTERM)
        _ = try server.process.wait()
        return try ServerProcess(arguments, folder: server.folder)
    }

    @Test func `they are the first that the disk budget gives up, the oldest before the others`() throws {
        let first = try ServerProcess()
        try fill(first, 60)
        _ = try first.accepted(try Samples.batch(Samples.crash(1)))
        _ = try first.event(1)
        let server = try restart(first, ["--disk-budget", "2500000"])
        let left = try server.eventually { () -> [Int]? in
            let disk = try server.json("limits")["disk"]
            let parts = try parts(server)
            return disk?["exhausted"] == false && parts.count < 60 ? parts : nil
        }
        #expect(!left.isEmpty && left == Array((60 - left.count..<60).reversed()))
        #expect(try server.get("events/\(Samples.eventID(1))").status == 200)
        let metrics = try server.client.send("GET", "/metrics").text
        #expect(metrics.contains("vaka_recordings_given_up_total"))
        #expect(!metrics.contains("vaka_recordings_given_up_total 0\n"))
        #expect(metrics.contains("vaka_reports_given_up_total 0\n"))
    }

    @Test(arguments: [false, true]) func `they go when the days are over that the project keeps`(
        inPostgres: Bool
    ) throws {
        let database = inPostgres ? try PostgresTestDatabase() : nil
        let arguments = database.map { ["--store", $0.address] } ?? []
        let first = try ServerProcess(arguments)
        try fill(first, 3)
        first.process.kill(SIGTERM)
        _ = try first.process.wait()
        let store =
            try database.map { try SQLEventStore(postgres: $0.address) }
            ?? SQLEventStore(path: first.folder.path + "/data/vaka.db")
        try store.write { (connection) throws(StoreError) in
            // Eight days ago.
            try connection.run("UPDATE recordings SET received_at = received_at - 8 * 86400000 WHERE part < 2", [])
        }
        store.close()
        let server = try ServerProcess(arguments + ["--keep-days", "7"], folder: first.folder)
        try server.eventually { try parts(server) == [2] ? true : nil }
    }
}
