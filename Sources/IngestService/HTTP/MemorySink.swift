// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Keeps a body in memory, bounded.
final class MemorySink: BodySink {
    private let limit: Int
    private var data = Data()

    init(limit: Int) {
        self.limit = limit
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(APIError) {
        guard data.count + bytes.count <= limit else { throw Self.tooLarge(limit, "as sent") }
        data.append(contentsOf: bytes)
    }

    func finish() throws(APIError) -> HTTPRequest.Body { .memory(data) }

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
