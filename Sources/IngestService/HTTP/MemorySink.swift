// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Keeps a body in memory, decompressed as it arrives, both sides bounded.
final class MemorySink: BodySink {
    private let limit: Int
    private let decompressor: Decompressor?
    private let decompressedLimit: Int
    private var received = 0
    private var data = Data()

    /// `limit` bounds what is received, `decompressedLimit` what it becomes.
    init(limit: Int, decompressor: Decompressor? = nil, decompressedLimit: Int? = nil) {
        self.limit = limit
        self.decompressor = decompressor
        self.decompressedLimit = decompressedLimit ?? limit
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(APIError) {
        received += bytes.count
        guard received <= limit else { throw Self.tooLarge(limit, "as sent") }
        guard let decompressor else {
            data.append(contentsOf: bytes)
            return
        }
        try decompressor.decompress(bytes, into: &data, limit: decompressedLimit)
    }

    func finish() throws(APIError) -> HTTPRequest.Body {
        try decompressor?.finish()
        return .memory(data)
    }

    func discard() {
        data = Data()
    }

    static func tooLarge(_ limit: Int, _ how: String) -> APIError {
        APIError(
            413, "too_large",
            "the body is larger than \(limit) bytes (\(how)); send fewer items in a batch, and shed stack slices or "
                + "breadcrumbs of an item that is too large alone")
    }
}
