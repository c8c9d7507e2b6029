// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import IngestService

/// The body of a request: a batch, plain or compressed, or a form. The last byte says how large the pieces are in which
/// it arrives.
enum BatchInput {
    private static let mostBytes = 1 << 20

    static func run(_ bytes: [UInt8]) {
        let pieces = Int(bytes.last ?? 0) + 1
        for format in [Decompressor.Format.gzip, .zstd] {
            if let body = decompressed(Array(bytes.dropLast()), format, pieces) { read(body) }
        }
        read(Data(bytes))
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

    private static func read(_ body: Data) {
        var limits = ServiceLimits()
        limits.batchItems = 8
        var reader = BatchReader(body, limits: limits)
        guard let result = try? reader.read() else { return }
        precondition(result.entries.count <= limits.batchItems, "more items than the bound")
        for entry in result.entries {
            guard let stored = try? Zstandard.compress(entry.payload) else { preconditionFailure("cannot be stored") }
            precondition((try? Zstandard.decompress(stored)) == entry.payload, "other bytes than were stored")
        }
    }
}
