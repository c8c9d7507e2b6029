// SPDX-License-Identifier: Apache-2.0
import CLoadedZstd
package import FoundationEssentials
package import VakaModel

/// The body of a request that brings a batch.
package struct WireBatch: Sendable {
    package var headers: [String: String]
    package var body: Data

    /// As one text, gzip. Every service takes it.
    package init(text batch: Batch) throws {
        headers = ["Content-Type": "application/json", "Content-Encoding": "gzip"]
        body = try Gzip.compress(ModelCoding.encode(batch))
    }

    /// With captured memory beside the text, each region compressed by itself and not written as base64: about half as large,
    /// and nothing that a service has to read to take it. Nil where there is no memory.
    package init?(parts batch: Batch) throws {
        var batch = batch
        var parts: [Data] = []
        for index in batch.items.indices where batch.items[index].kind == .event {
            var memory = EventMemory(batch.items[index].payload)
            guard try memory.moveOut() else { continue }
            batch.items[index].payload = memory.event
            batch.items[index].parts = memory.parts.count
            parts += memory.parts
        }
        guard !parts.isEmpty else { return nil }
        headers = ["Content-Type": Batch.partsMediaType]
        body = Data(Batch.partsMark)
        for part in [try Gzip.compress(ModelCoding.encode(batch))] + parts {
            withUnsafeBytes(of: UInt32(part.count).littleEndian) { body.append(contentsOf: $0) }
            body.append(part)
        }
    }

    /// Whether it makes a difference to a batch.
    package static func hasMemory(_ batch: Batch) -> Bool {
        batch.items.contains { $0.kind == .event && EventMemory($0.payload).isThere }
    }

    /// Whether the service takes parts, by its answer to a request for the settings.
    package static func takesParts(_ answer: TransportAnswer) -> Bool {
        struct Document: Decodable { var accepts: [String]? }
        guard answer.status == 200,
            let document = try? JSONDecoder().decode(Document.self, from: answer.body)
        else { return false }
        return document.accepts?.contains(Batch.partsMediaType) ?? false
    }
}

/// The captured memory in an event's document.
private struct EventMemory {
    private(set) var event: JSONValue
    private(set) var parts: [Data] = []
    /// Smaller ones stay in the text.
    private static let leastCharacters = 1024
    /// Small at some milliseconds for 64 KiB.
    private static let level: Int32 = 9

    init(_ event: JSONValue) {
        self.event = event
    }

    var isThere: Bool {
        regions("memory").contains(where: Self.isLarge)
            || regions("threads").contains { $0["stack"].map(Self.isLarge) ?? false }
    }

    /// False where there is none.
    mutating func moveOut() throws -> Bool {
        guard case .object(var members) = event else { return false }
        if case .array(var threads) = members["threads"] {
            for index in threads.indices {
                guard case .object(var thread) = threads[index], let stack = thread["stack"] else { continue }
                thread["stack"] = try movedOut(stack)
                threads[index] = .object(thread)
            }
            members["threads"] = .array(threads)
        }
        if case .array(let memory) = members["memory"] {
            members["memory"] = .array(try memory.map { try movedOut($0) })
        }
        event = .object(members)
        return !parts.isEmpty
    }

    private func regions(_ name: String) -> [JSONValue] {
        if case .array(let values) = event[name] { values } else { [] }
    }

    private static func isLarge(_ region: JSONValue) -> Bool {
        (region["data"]?.string?.utf8.count ?? 0) >= leastCharacters
    }

    private mutating func movedOut(_ region: JSONValue) throws -> JSONValue {
        guard Self.isLarge(region), case .object(var members) = region, let text = members["data"]?.string,
            let data = Data(base64Encoded: text)
        else { return region }
        members["data"] = nil
        members["part"] = .integer(Int64(parts.count))
        parts.append(try Self.zstd(data) ?? Gzip.compress(data))
        return .object(members)
    }

    /// Nil where the system has no libzstd.
    private static func zstd(_ data: Data) -> Data? {
        let room = vaka_zstd_bound(data.count)
        guard room > 0 else { return nil }
        var output = Data(count: room)
        let made = output.withUnsafeMutableBytes { output in
            data.withUnsafeBytes { vaka_zstd_compress(output.baseAddress!, room, $0.baseAddress!, data.count, level) }
        }
        return made > 0 ? output.prefix(made) : nil
    }
}
