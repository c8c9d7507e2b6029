// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import Symbolication

/// A symbol cache: as it is, and with a header whose checksum is right, so that its contents are looked at.
enum SymbolCacheInput {
    /// Where the header has its checksum and the cache's size, and where it ends (docs/symbol-cache-format.md).
    private enum Place {
        static let fileSize = 16
        static let checksum = 24
        static let end = 416
    }

    static func run(_ bytes: [UInt8]) {
        ask(bytes)
        guard bytes.count >= Place.end else { return }
        var mended = bytes
        mended.replaceSubrange(0..<8, with: Array("VAKASYMS".utf8))
        for (offset, value) in [(8, 1 as UInt64), (12, UInt64(Place.end))] { put(value, 4, at: offset, in: &mended) }
        put(UInt64(bytes.count), 8, at: Place.fileSize, in: &mended)
        put(0, 4, at: Place.checksum, in: &mended)
        let checksum = mended.withUnsafeBytes { vaka_crc32(0, $0.baseAddress, Place.end) }
        put(UInt64(checksum), 4, at: Place.checksum, in: &mended)
        ask(mended)
    }

    private static func ask(_ bytes: [UInt8]) {
        guard let cache = try? SymbolCache(bytes: bytes) else { return }
        _ = (try? cache.verify(), SymbolCacheDescription(cache).text)
        for address in addresses(bytes) { precondition(cache.names(at: address).count <= 256) }
    }

    /// In and around what may be the first regions: their part is the first.
    private static func addresses(_ bytes: [UInt8]) -> [UInt64] {
        let table = number(8, at: 128, in: bytes)
        var result: [UInt64] = [0, 1, .max, 0x1000, 0x20_1000]
        guard let start = Int(exactly: table), start < bytes.count - 64 else { return result }
        for region in 0..<4 {
            let address = number(8, at: start + region * 16, in: bytes)
            result += stride(from: 0 as UInt64, to: 2048, by: 37).map { address &+ $0 }
        }
        return result
    }

    private static func put(_ value: UInt64, _ size: Int, at offset: Int, in bytes: inout [UInt8]) {
        for index in 0..<size { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index)) }
    }

    private static func number(_ size: Int, at offset: Int, in bytes: [UInt8]) -> UInt64 {
        guard offset + size <= bytes.count else { return 0 }
        return (0..<size).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
    }
}
