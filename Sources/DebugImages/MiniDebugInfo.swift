// SPDX-License-Identifier: Apache-2.0
import CLzma

/// The symbol table that distributions pack into stripped files: an ELF file in xz form, in `.gnu_debugdata`.
final class MiniDebugInfo {
    let bytes: UnsafeMutableRawBufferPointer

    /// Such tables have some megabytes; a crafted one must not take the memory.
    private static let maximumSize = 256 << 20
    private static let maximumMemory: UInt64 = 256 << 20
    private static let chunk = 1 << 20

    /// Nil for what is no xz stream, a damaged or an overlong one.
    init?(packed: UnsafeRawBufferPointer) {
        guard let unpacked = Self.unpack(packed), !unpacked.isEmpty else { return nil }
        bytes = .allocate(byteCount: unpacked.count, alignment: 16)
        bytes.copyBytes(from: unpacked)
    }

    deinit {
        bytes.deallocate()
    }

    private static func unpack(_ packed: UnsafeRawBufferPointer) -> [UInt8]? {
        var stream = lzma_stream()
        guard lzma_stream_decoder(&stream, maximumMemory, 0) == LZMA_OK else { return nil }
        defer { lzma_end(&stream) }
        stream.next_in = packed.bindMemory(to: UInt8.self).baseAddress
        stream.avail_in = packed.count
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: chunk)
        while result.count <= maximumSize {
            let status = buffer.withUnsafeMutableBufferPointer { space in
                stream.next_out = space.baseAddress
                stream.avail_out = space.count
                return lzma_code(&stream, LZMA_FINISH)
            }
            result += buffer.prefix(chunk - stream.avail_out)
            if status == LZMA_STREAM_END { return result }
            guard status == LZMA_OK else { return nil }
        }
        return nil
    }
}
