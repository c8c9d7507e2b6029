// SPDX-License-Identifier: Apache-2.0
import CPostgres

/// Values in binary form, as libpq takes them.
struct PostgresParameters {
    private(set) var types: [Oid] = []
    private var bytes: [UInt8] = []
    /// Nil is null.
    private var places: [Range<Int>?] = []

    init(_ values: [SQLValue]) {
        for value in values { append(value) }
    }

    private mutating func append(_ value: SQLValue) {
        let start = bytes.count
        switch value {
        case .null:
            // Of the type that its place asks for.
            types.append(0)
            places.append(nil)
            return
        case .integer(let number):
            types.append(Oid(VAKA_PG_INT8))
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        case .number(let number):
            types.append(Oid(VAKA_PG_FLOAT8))
            withUnsafeBytes(of: number.bitPattern.bigEndian) { bytes.append(contentsOf: $0) }
        case .text(let text):
            types.append(Oid(VAKA_PG_TEXT))
            append(text)
        case .blob(let data):
            types.append(Oid(VAKA_PG_BYTEA))
            bytes.append(contentsOf: data)
        }
        places.append(start..<bytes.count)
    }

    /// PostgreSQL has no texts with a zero in them.
    private mutating func append(_ text: String) {
        guard text.utf8.contains(0) else { return bytes.append(contentsOf: text.utf8) }
        for byte in text.utf8 {
            if byte == 0 { bytes.append(contentsOf: "\u{FFFD}".utf8) } else { bytes.append(byte) }
        }
    }

    /// Addresses, lengths and formats.
    func withPointers<Result>(
        _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Result
    ) -> Result {
        let lengths = places.map { Int32(clamping: $0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: places.count)
        // One byte at least, so that an empty value has an address, which null has not.
        return (bytes + [0]).withUnsafeBufferPointer { buffer in
            let start = UnsafeRawPointer(buffer.baseAddress!).assumingMemoryBound(to: CChar.self)
            return body(places.map { $0.map { start + $0.lowerBound } }, lengths, formats)
        }
    }
}
