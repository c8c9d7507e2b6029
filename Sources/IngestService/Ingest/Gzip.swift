// SPDX-License-Identifier: Apache-2.0
import CDeflate
import FoundationEssentials

/// Gzip files (RFC 1952) that are whole in memory, at some times the speed of ``Decompressor``.
package enum Gzip {
    /// Deflate makes no more of a byte.
    private static let mostRatio = 1032
    private static let trailer = 8
    private static let idle = ContextPool(
        make: { libdeflate_alloc_decompressor() }, free: { libdeflate_free_decompressor($0) })

    /// What the one member is, which must be all there is; nil where it is larger than `limit`, and for all that is unusual
    /// or damaged, of which the streaming decompressor tells more.
    package static func inflated(_ bytes: UnsafeRawBufferPointer, limit: Int) -> [UInt8]? {
        guard let start = bytes.baseAddress, bytes.count > trailer,
            let size = claimedSize(bytes), size <= min(limit, bytes.count * mostRatio)
        else { return nil }
        return idle.with { decompressor in
            var isWhole = false
            let output = [UInt8](unsafeUninitializedCapacity: max(1, size)) { room, count in
                var (read, made) = (0, 0)
                let result = libdeflate_gzip_decompress_ex(
                    decompressor, start, bytes.count, room.baseAddress, size, &read, &made)
                isWhole = result == LIBDEFLATE_SUCCESS && read == bytes.count && made == size
                count = isWhole ? made : 0
            }
            return isWhole ? output : nil
        } ?? nil
    }

    private static let writers = ContextPool(
        make: { libdeflate_alloc_compressor(6) }, free: { libdeflate_free_compressor($0) })

    /// One member; nil where it cannot be made.
    ///
    /// - Parameter padding: so many bytes are added, in the place of a file's name, which readers leave out.
    static func deflated(_ data: Data, padding: Int) -> Data? {
        // Deflate, with a name, of no time, by an unknown system.
        let head: [UInt8] = [0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 255] + [UInt8](repeating: 0x2d, count: padding) + [0]
        return writers.with { compressor in
            data.withUnsafeBytes { input in
                let room = libdeflate_deflate_compress_bound(compressor, input.count)
                var isWhole = false
                let output = [UInt8](unsafeUninitializedCapacity: head.count + room + trailer) { output, count in
                    _ = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(output)[..<head.count])
                        .initializeMemory(as: UInt8.self, from: head)
                    let body = UnsafeMutableRawBufferPointer(
                        rebasing: UnsafeMutableRawBufferPointer(output)[head.count...])
                    let made = libdeflate_deflate_compress(
                        compressor, input.baseAddress, input.count, body.baseAddress, room)
                    isWhole = made > 0
                    let sum = UInt32(truncatingIfNeeded: libdeflate_crc32(0, input.baseAddress, input.count))
                    body.storeBytes(of: sum.littleEndian, toByteOffset: made, as: UInt32.self)
                    let size = UInt32(truncatingIfNeeded: input.count).littleEndian
                    body.storeBytes(of: size, toByteOffset: made + 4, as: UInt32.self)
                    count = head.count + made + trailer
                }
                return isWhole ? Data(output) : nil
            }
        } ?? nil
    }

    /// Nothing but the compressed text is in it: no names, comments or further fields.
    static func isBare(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1f, 0x8b, 8, 0]) }

    /// As its last four bytes say it.
    static func claimedSize(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count > trailer else { return nil }
        let word = bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self)
        return Int(UInt32(littleEndian: word))
    }
}
