// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import IngestService
import JSONScan
import Privacy

/// The body of a request: a batch, plain or compressed, or a form. The last byte says how large the pieces are in which
/// it arrives.
enum BatchInput {
    private static let mostBytes = 1 << 20

    static func run(_ bytes: [UInt8]) {
        let pieces = Int(bytes.last ?? 0) + 1
        for format in [Decompressor.Format.gzip, .zstd] {
            if let body = decompressed(Array(bytes.dropLast()), format, pieces) { read(BatchBody(text: [UInt8](body))) }
        }
        read(BatchBody(text: bytes))
        readGzip(bytes)
        readParts(bytes)
        _ = try? Zstandard.decompress(Data(bytes), limit: mostBytes)
        let fields = FormCoding.fields(Data(bytes))
        for value in fields.values {
            precondition(FormCoding.decode(Array(FormCoding.encode(value).utf8)[...]) == value, "coded otherwise")
        }
    }

    private static func decompressed(_ bytes: [UInt8], _ format: Decompressor.Format, _ piece: Int) -> Data? {
        let decompressor = Decompressor(format)
        var output = Data()
        do {
            for start in stride(from: 0, to: bytes.count, by: piece) {
                try bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes { input in
                    try decompressor.decompress(input, into: &output, limit: mostBytes)
                }
            }
            try decompressor.finish()
            return output
        } catch {
            precondition(output.count <= mostBytes, "more than the bound")
            return nil
        }
    }

    /// As the door takes a small body: whole, and kept as it came where that can be.
    private static func readGzip(_ bytes: [UInt8]) {
        let text = bytes.withUnsafeBytes { Gzip.inflated($0, limit: mostBytes) }
        guard let text else { return }
        precondition(text.count <= mostBytes, "more than the bound")
        precondition(decompressed(bytes, .gzip, bytes.count) == Data(text), "otherwise than piece by piece")
        read(BatchBody(text: text, gzip: bytes))
    }

    /// With parts: the bytes as the body, and as parts of a batch whose text is known.
    private static func readParts(_ bytes: [UInt8]) {
        if let (text, parts) = try? BatchParts.read(bytes) {
            precondition(
                (0..<parts.count).reduce(text.count) { $0 + parts[$1].count } <= bytes.count, "beyond the body")
            read(BatchBody(text: [UInt8](decompressed(Array(text), .gzip, 4096) ?? Data(text)), parts: parts))
        }
        let head =
            "{\"items\":[{\"kind\":\"event\",\"id\":\"1\",\"parts\":1,\"payload\":{\"schema_version\":1,\"type\":\"crash\","
            + "\"event_id\":\"00000000000000000000000000000001\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"arch\":\"x86_64\","
            + "\"memory\":[{\"address\":\"0x1\",\"part\":0}]}}]}"
        guard !bytes.isEmpty else { return }
        let size = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
        let body = Array("VKB1".utf8) + [1, 0, 0, 0, 0] + size + bytes
        guard let (_, parts) = try? BatchParts.read(body) else { preconditionFailure("is a body") }
        read(BatchBody(text: Array(head.utf8), parts: parts))
    }

    private static func read(_ body: BatchBody) {
        var limits = ServiceLimits()
        limits.batchItems = 8
        var reader = BatchReader(body, limits: limits, scrubber: PayloadScrubber(.usual))
        guard let result = try? reader.read() else { return }
        precondition(result.items.count <= limits.batchItems, "more items than the bound")
        for item in result.items {
            guard let entry = try? reader.entry(item) else { preconditionFailure("cannot be stored") }
            guard let payload = try? SpoolPayload.unpacked(entry.payload) else { preconditionFailure("cannot be read") }
            precondition((try? JSONScan([UInt8](payload), deepest: 64)) != nil, "no document")
        }
    }
}
