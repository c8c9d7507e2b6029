// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials
import TestSupport
import Testing
import VakaModel

/// Recordings in the queue: they are the first to make room.
@Suite struct RecordingQueueTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func queue(files: Int = 10, recordings: Int = 4) throws -> BatchQueue {
        var limits = DeliveryLimits()
        limits.files = files
        limits.recordingFiles = recordings
        return try BatchQueue(
            folder: StorageFolder(path: folder.path + "/state"), sdk: SDKInfo(name: "test", version: "1"),
            limits: limits)
    }

    private func add(_ queue: BatchQueue, _ kind: ItemKind, _ id: String, crash: Bool = false) throws {
        let payload: JSONValue = crash ? ["type": "crash"] : [:]
        try queue.add([BatchItem(kind: kind, id: id, payload: payload)], time: Timestamp(milliseconds: 0))
    }

    private func ids(_ queue: BatchQueue, _ kind: ItemKind) throws -> [String] {
        try queue.files().flatMap { try queue.batch($0)?.items ?? [] }.filter { $0.kind == kind }.map(\.id)
    }

    private func losses(_ queue: BatchQueue) throws -> [JSONValue] {
        try queue.files().flatMap { try queue.batch($0)?.items ?? [] }.filter { $0.kind == .clientReport }
            .flatMap { item -> [JSONValue] in
                guard case .array(let dropped) = item.payload["dropped"] else { return [] }
                return dropped
            }
    }

    @Test func theyNeverDisplaceACrash() throws {
        let queue = try queue()
        try add(queue, .event, "crash", crash: true)
        for number in 0..<100 { try add(queue, .recording, "r\(number)") }
        #expect(try ids(queue, .event) == ["crash"])
        #expect(try ids(queue, .recording).count <= 4 && ids(queue, .recording).last == "r99")
        #expect(queue.files().count <= 10)
        #expect(try losses(queue).contains { $0["kind"] == "recording" && $0["reason"] == "queue_overflow" })
    }

    @Test func othersTakeTheirPlace() throws {
        let queue = try queue()
        for number in 0..<4 { try add(queue, .recording, "r\(number)") }
        for number in 0..<10 { try add(queue, .track, "t\(number)") }
        #expect(try ids(queue, .recording).isEmpty)
        #expect(try ids(queue, .track).count == 10)
        // A full queue has no room for them, and they make none.
        try add(queue, .recording, "late")
        #expect(try ids(queue, .recording).isEmpty && ids(queue, .track).count == 10)
        #expect(try losses(queue).contains { $0["kind"] == "recording" })
    }

    @Test func aCrashDoesNotShareABatchWithThem() throws {
        let queue = try queue()
        let items = [
            BatchItem(kind: .event, id: "crash", payload: ["type": "crash"]),
            BatchItem(kind: .recording, id: "r", payload: [:]),
        ]
        try queue.add(items, time: Timestamp(milliseconds: 0))
        #expect(
            queue.files().map { $0.split(separator: ".").dropFirst().joined(separator: ".") } == [
                "crash.json", "recording.json",
            ])
    }
}
