// SPDX-License-Identifier: Apache-2.0

/// Reads fixed-width values out of a payload; every read is checked against its end.
struct ByteReader {
    let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var remaining: Int { bytes.endIndex - position }

    /// The next value of a C struct's layout; nil past the end. `Value` must be a plain C type.
    mutating func next<Value: BitwiseCopyable>(_ type: Value.Type) -> Value? {
        let size = MemoryLayout<Value>.size
        guard remaining >= size else { return nil }
        defer { position += size }
        return bytes[position..<position + size].withUnsafeBytes { $0.loadUnaligned(as: type) }
    }

    /// The next `count` bytes; nil past the end.
    mutating func next(count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, remaining >= count else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Skips to the next multiple of 8 from the start of the payload, or to the end.
    mutating func align() {
        let misaligned = (position - bytes.startIndex) % 8
        if misaligned != 0 { position = min(position + 8 - misaligned, bytes.endIndex) }
    }

    /// The rest as values of one type; a torn last one is left out.
    mutating func rest<Value: BitwiseCopyable>(as type: Value.Type) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(remaining / MemoryLayout<Value>.size)
        while let value = next(type) { values.append(value) }
        return values
    }

    var rest: ArraySlice<UInt8> { bytes[position...] }
}

/// A C array of bytes, which Swift sees as a tuple.
func byteArray<Tuple: BitwiseCopyable>(_ tuple: Tuple) -> [UInt8] {
    withUnsafeBytes(of: tuple) { Array($0) }
}

/// Text up to the first NUL; bytes that are no UTF-8 become U+FFFD.
func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes.prefix { $0 != 0 }), as: UTF8.self)
}

func hexText(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
