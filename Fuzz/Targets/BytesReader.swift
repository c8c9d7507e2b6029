// SPDX-License-Identifier: Apache-2.0

/// Takes values off the front of an input; zeros when it is used up.
struct BytesReader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
    }

    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }
    mutating func half() -> UInt16 { UInt16(byte()) << 8 | UInt16(byte()) }
    mutating func word() -> UInt64 { (0..<8).reduce(0) { word, _ in word << 8 | UInt64(byte()) } }

    mutating func rest() -> [UInt8] {
        defer { bytes = [] }
        return Array(bytes)
    }
}
