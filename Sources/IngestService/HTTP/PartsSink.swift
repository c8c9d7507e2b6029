// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Takes a batch with parts, bounded as sent; only its text is decompressed, bounded too.
final class PartsSink: BodySink {
    /// As sent, of what is looked at where nothing may wait for it.
    private static let mostAtOnce = 1 << 20
    /// Decompressed, of the text.
    private static let mostSmall = 256 << 10

    private let limits: ServiceLimits
    private var received: [UInt8] = []

    init(limits: ServiceLimits) {
        self.limits = limits
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(APIError) {
        guard received.count + bytes.count <= limits.batchBytes else {
            throw MemorySink.tooLarge(limits.batchBytes, "as sent")
        }
        received.append(contentsOf: bytes)
    }

    func small() -> HTTPRequest.Body? {
        guard received.count <= Self.mostAtOnce, let (text, parts) = try? BatchParts.read(received) else { return nil }
        return atOnce(text, parts, limit: min(Self.mostSmall, limits.decompressedBytes))
    }

    func finish() throws(APIError) -> HTTPRequest.Body {
        let (text, parts) = try BatchParts.read(received)
        if let whole = atOnce(text, parts, limit: limits.decompressedBytes) { return whole }
        guard let format = Decompressor.Format(of: text) else {
            throw APIError(400, "malformed_parts", "the first part is neither gzip nor zstd; it is the batch's text")
        }
        let decompressor = Decompressor(format)
        var whole = Data()
        let outcome = text.withUnsafeBytes { bytes in
            Result { () throws(APIError) in
                try decompressor.decompress(bytes, into: &whole, limit: limits.decompressedBytes)
                try decompressor.finish()
            }
        }
        try outcome.get()
        return .batch(BatchBody(text: [UInt8](whole), parts: parts))
    }

    func discard() { received = [] }

    private func atOnce(_ text: ArraySlice<UInt8>, _ parts: BatchParts, limit: Int) -> HTTPRequest.Body? {
        text.withUnsafeBytes { Gzip.inflated($0, limit: limit) }
            .map { .batch(BatchBody(text: $0, gzip: Array(text), parts: parts)) }
    }
}
