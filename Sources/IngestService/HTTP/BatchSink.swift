// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Takes a batch, both as sent and decompressed bounded. One that is small is decompressed when it is whole; larger ones
/// as they arrive, so that what is too large or damaged is refused before its end.
final class BatchSink: BodySink {
    private static let mostAtOnce = 1 << 20
    /// Decompressed, of what is looked at where nothing may wait for it.
    private static let mostSmall = 256 << 10

    private let format: Decompressor.Format?
    private let limits: ServiceLimits
    private var count = 0
    /// What is not decompressed yet.
    private var received: [UInt8] = []
    private var decompressor: Decompressor?
    private var decompressed = Data()

    /// Nil is a body that is not compressed.
    init(_ format: Decompressor.Format?, limits: ServiceLimits) {
        self.format = format
        self.limits = limits
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(APIError) {
        count += bytes.count
        guard count <= limits.batchBytes else { throw MemorySink.tooLarge(limits.batchBytes, "as sent") }
        received.append(contentsOf: bytes)
        if received.count > Self.mostAtOnce, let format { try decompress(format) }
    }

    func small() -> HTTPRequest.Body? { atOnce(limit: min(Self.mostSmall, limits.decompressedBytes)) }

    private func atOnce(limit: Int) -> HTTPRequest.Body? {
        guard format == .gzip, decompressor == nil,
            let text = received.withUnsafeBytes({ Gzip.inflated($0, limit: limit) })
        else { return nil }
        return .batch(BatchBody(text: text, gzip: received))
    }

    func finish() throws(APIError) -> HTTPRequest.Body {
        guard let format else { return .batch(BatchBody(text: received)) }
        if let whole = atOnce(limit: limits.decompressedBytes) { return whole }
        try decompress(format)
        try decompressor?.finish()
        return .batch(BatchBody(text: [UInt8](decompressed)))
    }

    func discard() {
        received = []
        decompressed = Data()
    }

    private func decompress(_ format: Decompressor.Format) throws(APIError) {
        let decompressor = decompressor ?? Decompressor(format)
        self.decompressor = decompressor
        let bytes = received
        received = []
        var problem: APIError?
        bytes.withUnsafeBytes { bytes in
            do throws(APIError) {
                try decompressor.decompress(bytes, into: &decompressed, limit: limits.decompressedBytes)
            } catch {
                problem = error
            }
        }
        if let problem { throw problem }
    }
}
