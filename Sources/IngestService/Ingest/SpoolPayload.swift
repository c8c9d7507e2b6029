// SPDX-License-Identifier: Apache-2.0
import EventStore
package import FoundationEssentials

/// How payloads wait: compressed (Zstandard), or as a part of the batch that came, which is gzip and stays as it is. The
/// latter begin with a mark of their own, and the part's start and end in the batch (32 bits each, little-endian).
package enum SpoolPayload {
    package struct Damaged: Error {}

    private static let mark: [UInt8] = [0x56, 0x6b, 0x67, 0x01]
    private static let markWithParts: [UInt8] = [0x56, 0x6b, 0x70, 0x01]
    private static let head = 12

    static func packed(_ payload: Data) throws -> Data { try Zstandard.compress(payload, .small) }

    static func packed(_ part: Range<Int>, ofGzip batch: [UInt8]) -> Data {
        var packed = Data(capacity: head + batch.count)
        packed.append(contentsOf: mark)
        for bound in [part.lowerBound, part.upperBound] {
            withUnsafeBytes(of: UInt32(bound).littleEndian) { packed.append(contentsOf: $0) }
        }
        packed.append(contentsOf: batch)
        return packed
    }

    /// With parts of its batch, as they came.
    static func joined(_ packed: Data, _ parts: BatchParts, _ range: Range<Int>) -> Data {
        var joined = Data(capacity: packed.count + range.reduce(8) { $0 + parts[$1].count + 4 })
        joined.append(contentsOf: markWithParts)
        append(packed, to: &joined)
        for index in range { append(parts[index], to: &joined) }
        return joined
    }

    private static func append(_ bytes: some Collection<UInt8>, to data: inout Data) {
        withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { data.append(contentsOf: $0) }
        data.append(contentsOf: bytes)
    }

    /// The document, with what its parts hold in their places.
    package static func unpacked(_ packed: Data) throws -> Data {
        guard hasParts(packed) else { return try unpackedText(packed) }
        var pieces: [Data] = []
        var rest = packed.dropFirst(markWithParts.count)
        while !rest.isEmpty {
            guard rest.count >= 4 else { throw Damaged() }
            let size = rest.withUnsafeBytes { bound($0, 0) }
            guard size <= rest.count - 4 else { throw Damaged() }
            pieces.append(rest.dropFirst(4).prefix(size))
            rest = rest.dropFirst(4 + size)
        }
        guard let text = pieces.first else { throw Damaged() }
        return MemoryParts(Array(pieces.dropFirst())).filled(into: try unpackedText(Data(text)))
    }

    private static func unpackedText(_ packed: Data) throws -> Data {
        guard isPart(packed) else { return try Zstandard.decompress(packed) }
        let part: Data? = packed.withUnsafeBytes { bytes in
            guard let text = Gzip.inflated(UnsafeRawBufferPointer(rebasing: bytes[head...]), limit: .max) else {
                return nil
            }
            let (start, end) = (bound(bytes, 4), bound(bytes, 8))
            return start <= end && end <= text.count ? Data(text[start..<end]) : nil
        }
        guard let part else { throw Damaged() }
        return part
    }

    /// For what is kept for good: nothing else of the batch. `payload` is what it holds.
    static func settled(_ packed: Data, payload: Data) throws -> Data {
        isPart(packed) || hasParts(packed) ? try Zstandard.compress(payload, .small) : packed
    }

    private static func hasParts(_ packed: Data) -> Bool { packed.starts(with: markWithParts) }

    private static func isPart(_ packed: Data) -> Bool { packed.count > head && packed.starts(with: mark) }

    private static func bound(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
        Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
}
