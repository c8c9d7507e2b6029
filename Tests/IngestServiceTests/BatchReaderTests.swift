// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Privacy
import TestSupport
import Testing

@testable import IngestService

struct BatchReaderTests {
    private static let payload = #"{"a":"a text","n":[1,2.5e3,null]}"#

    private func gzip(_ text: String) throws -> [UInt8] {
        [UInt8](try ChildProcess.run("/usr/bin/env", ["gzip", "-nc"], input: Data(text.utf8)).outputData)
    }

    private func item(_ payload: String, _ id: String = "i", more: String = "") -> String {
        "{\"kind\":\"other\",\"id\":\"\(id)\"\(more),\"payload\":\(payload)}"
    }

    private func stored(_ text: String, gzip: [UInt8]) throws -> [Data] {
        var reader = BatchReader(
            BatchBody(text: Array(text.utf8), gzip: gzip), limits: ServiceLimits(), scrubber: PayloadScrubber(.usual))
        let result = try reader.read()
        #expect(result.rejected.isEmpty)
        return try result.items.map { try reader.entry($0).payload }
    }

    @Test func `a batch of one item without a secret waits as it came`() throws {
        let text = "{\"sdk\":{\"name\":\"x\"}, \"items\" : [ \(item(Self.payload)) ] }"
        let sent = try gzip(text)
        let payload = try stored(text, gzip: sent)[0]
        #expect(payload.firstRange(of: Data(sent)) != nil)
        #expect(String(decoding: try SpoolPayload.unpacked(payload), as: UTF8.self) == Self.payload)
        // For good only the payload is kept.
        let settled = try SpoolPayload.settled(payload, payload: Data(Self.payload.utf8))
        #expect(try Zstandard.decompress(settled) == Data(Self.payload.utf8))
    }

    @Test func `a secret anywhere keeps a batch from waiting as it came`() throws {
        let item = item(Self.payload)
        let texts = [
            "{\"password\":\"x\",\"items\":[\(item)]}", "{\"items\":[\(item)],\"sdk\":[\"token=hunter2\"]}",
            "{\"items\":[\(self.item(Self.payload, more: ",\"x\":{\"api_key\":7}"))]}",
            "{\"items\":[\(self.item("\"/home/ann/x\"", "j"))],\"items\":[\(item)]}",
            "{\"items\":[\(self.item(Self.payload, more: ",\"payload\":\"password=x\""))]}",
        ]
        for text in texts {
            let sent = try gzip(text)
            let payload = try stored(text, gzip: sent)[0]
            #expect(payload.firstRange(of: Data(sent)) == nil, "\(text)")
            #expect(String(decoding: try SpoolPayload.unpacked(payload), as: UTF8.self) == Self.payload, "\(text)")
        }
        let secret = "{\"items\":[\(self.item("[\"password=x\",\"é\"]"))]}"
        let payload = try SpoolPayload.unpacked(stored(secret, gzip: gzip(secret))[0])
        #expect(String(decoding: payload, as: UTF8.self) == "[\"password=[scrubbed: secret]\",\"é\"]")
    }

    @Test func `what a compressed file tells besides its text is not kept`() throws {
        let text = "{\"items\":[\(item(Self.payload))]}"
        var sent = try gzip(text)
        sent[3] = 8
        sent.insert(contentsOf: "password=x\0".utf8, at: 10)
        #expect(sent.withUnsafeBytes { Gzip.inflated($0, limit: 1000) } == Array(text.utf8))
        let payload = try stored(text, gzip: sent)[0]
        #expect(payload.firstRange(of: Data("password".utf8)) == nil)
        #expect(String(decoding: try SpoolPayload.unpacked(payload), as: UTF8.self) == Self.payload)
    }

    @Test func `several items wait each by itself`() throws {
        let text = "{\"items\":[\(item(Self.payload, "i")),\(item("[]", "j"))]}"
        let payloads = try stored(text, gzip: gzip(text)).map {
            String(decoding: try SpoolPayload.unpacked($0), as: UTF8.self)
        }
        #expect(payloads == [Self.payload, "[]"])
    }

    @Test func `only what is whole and within the bound is decompressed at once`() throws {
        let text = String(repeating: "0123456789", count: 500)
        let sent = try gzip(text)
        func inflated(_ bytes: [UInt8], limit: Int = 5000) -> [UInt8]? {
            bytes.withUnsafeBytes { Gzip.inflated($0, limit: limit) }
        }
        #expect(inflated(sent) == Array(text.utf8))
        #expect(inflated(sent, limit: 4999) == nil)
        #expect(inflated(sent + [0]) == nil && inflated(sent + sent) == nil && inflated([]) == nil)
        for count in sent.indices { #expect(inflated(Array(sent[..<count])) == nil) }
        // The last bytes claim another size, or the text is another.
        for index in sent.indices.suffix(8) {
            var bytes = sent
            bytes[index] ^= 1
            #expect(inflated(bytes) == nil)
        }
    }

    @Test func `what waits and cannot be read is refused`() throws {
        let text = "{\"items\":[\(item(Self.payload))]}"
        let payload = try stored(text, gzip: gzip(text))[0]
        for count in 0..<payload.count {
            #expect(throws: (any Error).self) { try SpoolPayload.unpacked(payload.prefix(count)) }
        }
        var beyond = payload
        beyond[10] = 0xff
        #expect(throws: SpoolPayload.Damaged.self) { try SpoolPayload.unpacked(beyond) }
    }
}
