// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Little-endian numbers of 64 bits; texts and data with their length (32 bits) before them, which is `missing` where
/// there is none.
private let missing = UInt32.max

package struct JournalWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    mutating func integer(_ value: Int64) { number(UInt64(bitPattern: value)) }

    mutating func number<Number: FixedWidthInteger>(_ value: Number) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func text(_ text: String) {
        number(UInt32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func optionalText(_ text: String?) {
        guard let text else { return number(missing) }
        self.text(text)
    }

    mutating func data(_ data: Data) {
        number(UInt32(data.count))
        data.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// So many bytes that are set later.
    mutating func skip(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }

    mutating func set(_ value: UInt32, at offset: Int) {
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self) }
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

/// Nil is what the bytes do not have.
struct JournalReader {
    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func integer() -> Int64? { number(UInt64.self).map { Int64(bitPattern: $0) } }

    mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        take(MemoryLayout<Number>.size).map { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
    }

    mutating func text() -> String? { optionalText() ?? nil }

    mutating func optionalText() -> String?? {
        guard let length = number(UInt32.self) else { return nil }
        guard length != missing else { return .some(nil) }
        return take(Int(length)).map { String(decoding: $0, as: UTF8.self) }
    }

    mutating func data() -> Data? {
        guard let length = number(UInt32.self), length != missing else { return nil }
        return take(Int(length)).map { Data($0) }
    }

    private mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
    }
}
