// SPDX-License-Identifier: Apache-2.0
import CZlib
import CZstd
package import FoundationEssentials

/// Streaming decompression whose output is bounded whatever the input claims.
package final class Decompressor {
    package enum Format: String {
        case gzip
        case zstd

        /// By the first bytes; nil for all else.
        package init?(of bytes: ArraySlice<UInt8>) {
            if bytes.starts(with: [0x1f, 0x8b]) {
                self = .gzip
            } else if bytes.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) {
                self = .zstd
            } else {
                return nil
            }
        }
    }

    private let format: Format
    private var zlib = z_stream()
    private var zstd: OpaquePointer?
    private var ended = false
    private var started = false

    package init(_ format: Format) {
        self.format = format
        switch format {
        case .gzip: inflateInit2_(&zlib, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        case .zstd:
            zstd = ZSTD_createDStream()
            // A frame that asks for a larger window is refused: 8 MiB.
            ZSTD_DCtx_setParameter(zstd, ZSTD_d_windowLogMax, 23)
        }
    }

    deinit {
        switch format {
        case .gzip: inflateEnd(&zlib)
        case .zstd: ZSTD_freeDStream(zstd)
        }
    }

    /// Appends what the bytes decompress to.
    package func decompress(_ input: UnsafeRawBufferPointer, into output: inout Data, limit: Int) throws(APIError) {
        var consumed = 0
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while consumed < input.count {
            guard !ended else { throw damaged("has bytes after its end") }
            let rest = UnsafeRawBufferPointer(rebasing: input[consumed...])
            let (used, made) = try step(rest, &chunk)
            consumed += used
            try append(chunk[..<made], to: &output, limit)
            if used == 0, made == 0 { throw damaged("does not go on") }
        }
        try drain(&chunk, into: &output, limit)
    }

    /// Throws when the stream is cut.
    package func finish() throws(APIError) {
        guard ended else { throw damaged("is cut short") }
    }

    /// What the decompressor holds back for want of room comes out without further input.
    private func drain(_ chunk: inout [UInt8], into output: inout Data, _ limit: Int) throws(APIError) {
        while started, !ended {
            let (_, made) = try step(UnsafeRawBufferPointer(start: nil, count: 0), &chunk)
            guard made > 0 else { return }
            try append(chunk[..<made], to: &output, limit)
        }
    }

    private func append(_ bytes: ArraySlice<UInt8>, to output: inout Data, _ limit: Int) throws(APIError) {
        guard output.count + bytes.count <= limit else { throw MemorySink.tooLarge(limit, "decompressed") }
        output.append(contentsOf: bytes)
    }

    private func step(_ input: UnsafeRawBufferPointer, _ chunk: inout [UInt8]) throws(APIError) -> (Int, Int) {
        started = true
        return switch format {
        case .gzip: try inflateStep(input, &chunk)
        case .zstd: try zstdStep(input, &chunk)
        }
    }

    private func inflateStep(_ input: UnsafeRawBufferPointer, _ chunk: inout [UInt8]) throws(APIError) -> (Int, Int) {
        var result: Int32 = 0
        let room = chunk.count
        let count = UInt32(clamping: input.count)
        chunk.withUnsafeMutableBufferPointer { buffer in
            zlib.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
            zlib.avail_in = count
            zlib.next_out = buffer.baseAddress
            zlib.avail_out = UInt32(clamping: room)
            result = inflate(&zlib, Z_NO_FLUSH)
        }
        guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else {
            throw damaged("is damaged (\(zlib.msg.map { String(cString: $0) } ?? "code \(result)"))")
        }
        ended = result == Z_STREAM_END
        return (Int(count - zlib.avail_in), room - Int(zlib.avail_out))
    }

    private func zstdStep(_ input: UnsafeRawBufferPointer, _ chunk: inout [UInt8]) throws(APIError) -> (Int, Int) {
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        let room = chunk.count
        var made = 0
        let result = chunk.withUnsafeMutableBytes { buffer in
            var target = ZSTD_outBuffer(dst: buffer.baseAddress, size: room, pos: 0)
            let result = ZSTD_decompressStream(zstd, &target, &source)
            made = target.pos
            return result
        }
        guard ZSTD_isError(result) == 0 else {
            throw damaged("is damaged (\(String(cString: ZSTD_getErrorName(result))))")
        }
        ended = result == 0
        return (source.pos, made)
    }

    private func damaged(_ how: String) -> APIError {
        APIError(400, "malformed_\(format.rawValue)", "the \(format.rawValue) body \(how); send it again")
    }
}
