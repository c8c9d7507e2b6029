// SPDX-License-Identifier: Apache-2.0
import CDeflate
import Glibc

/// What a segment is made of: its head, then one frame for each batch.
///
/// A frame is a mark, the length of its body, a checksum (CRC-32) over that length and the body, and the body. The checksum
/// begins with the segment's number and salt: frames that an earlier use of the file has left are none of this one, nor is what a
/// sender has made look like a frame.
package enum JournalFrame {
    /// Which use of a file it is.
    package struct Segment: Hashable, Sendable {
        package var number: UInt64
        /// Known to nobody else.
        package var salt: UInt64

        package init(number: UInt64, salt: UInt64) {
            self.number = number
            self.salt = salt
        }
    }

    /// 24 bytes: the mark, a version, the segment's number and salt.
    static let segmentMark: UInt32 = 0x6a6b_6156  // "Vakj"
    static let version: UInt32 = 1
    static let segmentHead = 24

    private static let mark: UInt32 = 0x666b_6156  // "Vakf"
    static let head = 12

    static func segmentHead(of segment: Segment) -> [UInt8] {
        var writer = JournalWriter()
        writer.number(segmentMark)
        writer.number(version)
        writer.number(segment.number)
        writer.number(segment.salt)
        return writer.bytes
    }

    /// Nil where the bytes begin none.
    package static func segment(_ bytes: UnsafeRawBufferPointer) -> Segment? {
        var reader = JournalReader(bytes)
        guard reader.number(UInt32.self) == segmentMark, reader.number(UInt32.self) == version else { return nil }
        guard let number = reader.number(UInt64.self), (1..<1 << 48).contains(number),
            let salt = reader.number(UInt64.self)
        else { return nil }
        return Segment(number: number, salt: salt)
    }

    package static func write(_ batch: JournalBatch, segment: Segment, to writer: inout JournalWriter) {
        let start = writer.bytes.count
        writer.skip(head)
        batch.write(to: &writer)
        let length = UInt32(writer.bytes.count - start - head)
        writer.set(mark, at: start)
        writer.set(length, at: start + 4)
        let sum = writer.bytes.withUnsafeBytes { bytes in
            checksum(segment, length, UnsafeRawBufferPointer(rebasing: bytes[(start + head)...]))
        }
        writer.set(sum, at: start + 8)
    }

    package enum Found {
        /// A batch, and how many bytes its frame has.
        case batch(JournalBatch, Int)
        /// It may go on behind these bytes; so many would have to be there.
        case needs(Int)
        /// No frame of this segment begins here.
        case none
    }

    package static func read(_ bytes: UnsafeRawBufferPointer, segment: Segment) -> Found {
        guard bytes.count >= head else { return .needs(head) }
        var reader = JournalReader(bytes)
        guard reader.number(UInt32.self) == mark, let length = reader.number(UInt32.self),
            let sum = reader.number(UInt32.self)
        else { return .none }
        let size = head + Int(length)
        guard bytes.count >= size else { return .needs(size) }
        let body = UnsafeRawBufferPointer(rebasing: bytes[head..<size])
        guard checksum(segment, length, body) == sum, let batch = JournalBatch(body) else { return .none }
        return .batch(batch, size)
    }

    private static func checksum(_ segment: Segment, _ length: UInt32, _ body: UnsafeRawBufferPointer) -> UInt32 {
        var before = (segment.number.littleEndian, segment.salt.littleEndian, UInt64(length).littleEndian)
        let first = libdeflate_crc32(0, &before, MemoryLayout.size(ofValue: before))
        return libdeflate_crc32(first, body.baseAddress, body.count)
    }
}

extension JournalFrame {
    /// Where the first frame of the segment begins.
    ///
    /// What is no frame may look like many, each as long as all the bytes: it is given up when they were read several times.
    package static func search(_ bytes: UnsafeRawBufferPointer, segment: Segment) -> Int? {
        var effort = 8 * bytes.count
        var offset = 0
        while effort > 0, let start = nextMark(bytes, from: offset) {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
            if case .batch = read(rest, segment: segment) { return start }
            if rest.count >= head {
                let length = Int(UInt32(littleEndian: rest.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
                effort -= length <= rest.count - head ? length : 0
            }
            offset = start + 1
        }
        return nil
    }

    private static func nextMark(_ bytes: UnsafeRawBufferPointer, from offset: Int) -> Int? {
        var offset = offset
        while offset + 4 <= bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + offset, Int32(mark & 0xff), bytes.count - offset - 3)
        {
            offset = UnsafeRawPointer(found) - base
            if UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) == mark {
                return offset
            }
            offset += 1
        }
        return nil
    }
}
