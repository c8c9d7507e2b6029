// SPDX-License-Identifier: Apache-2.0
import CZlib
package import FoundationEssentials

/// The gzip format (RFC 1952), by zlib.
package enum Gzip {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Compresses at zlib's usual level. Throws only where memory is short.
    package static func compress(_ data: Data) throws(Failure) -> Data {
        var stream = z_stream()
        let gzipWindow: Int32 = 15 + 16
        let started = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzipWindow, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard started == Z_OK else { throw Failure(description: "zlib does not start (code \(started))") }
        defer { deflateEnd(&stream) }

        var output = Data(count: Int(deflateBound(&stream, UInt(data.count))))
        let result = data.withUnsafeBytes { input in
            output.withUnsafeMutableBytes { room in
                stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
                stream.avail_in = UInt32(clamping: input.count)
                stream.next_out = room.bindMemory(to: UInt8.self).baseAddress
                stream.avail_out = UInt32(clamping: room.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard result == Z_STREAM_END else {
            throw Failure(description: "zlib could not compress \(data.count) bytes (code \(result))")
        }
        output.removeLast(Int(stream.avail_out))
        return output
    }
}
