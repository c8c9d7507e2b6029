// SPDX-License-Identifier: Apache-2.0

/// Reads little-endian values from bytes of unknown honesty. Reading past the end yields zeros and sets `failed`.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset: Int
    private let end: Int
    private(set) var failed = false

    /// Reads `bytes[start..<end]`; offsets count from the beginning of `bytes`.
    init(_ bytes: UnsafeRawBufferPointer, from start: Int = 0, to end: Int? = nil) {
        self.bytes = bytes
        self.end = min(end ?? bytes.count, bytes.count)
        offset = start
        failed = start < 0 || start > self.end
        if failed { offset = self.end }
    }

    var remaining: Int { end - offset }
    var isAtEnd: Bool { offset >= end }

    mutating func skip(_ count: UInt64) {
        guard let count = Int(exactly: count), count <= remaining else { return fail() }
        offset += count
    }

    mutating func seek(_ position: Int) {
        guard position >= 0, position <= end else { return fail() }
        offset = position
    }

    mutating func u8() -> UInt8 {
        guard offset < end else {
            fail()
            return 0
        }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func unsigned(_ size: Int) -> UInt64 {
        guard (1...8).contains(size), size <= remaining else {
            fail()
            return 0
        }
        var value: UInt64 = 0
        for index in 0..<size { value |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
        offset += size
        return value
    }

    mutating func uleb() -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = u8()
            if failed { return 0 }
            if shift < 64 { value |= UInt64(byte & 0x7F) << shift }
            if byte & 0x80 == 0 { return value }
            shift += 7
        }
    }

    mutating func sleb() -> Int64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = u8()
            if failed { return 0 }
            if shift < 64 { value |= UInt64(byte & 0x7F) << shift }
            shift += 7
            guard byte & 0x80 == 0 else { continue }
            if byte & 0x40 != 0, shift < 64 { value |= ~0 << shift }
            return Int64(bitPattern: value)
        }
    }

    /// A text that ends with NUL.
    mutating func text() -> String {
        let start = offset
        while offset < end, bytes[offset] != 0 { offset += 1 }
        guard offset < end else {
            fail()
            return ""
        }
        defer { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func fail() {
        failed = true
        offset = end
    }
}
