// SPDX-License-Identifier: Apache-2.0
import CZlib
package import FoundationEssentials

extension Gzip {
    private static let step = 1 << 16

    /// What gzip members one after the other hold, as far as they are whole: a file whose end is missing gives what stands
    /// before. At most `limit` bytes.
    package static func decompress(_ data: Data, limit: Int) -> Data {
        var output = Data()
        var rest = data[...]
        while !rest.isEmpty, output.count < limit {
            guard let (used, isWhole) = member(rest, into: &output, limit: limit), isWhole, used > 0 else { break }
            rest = rest.dropFirst(used)
        }
        return output
    }

    /// How many bytes it takes up, and whether its end was reached; nil where it is no member at all.
    private static func member(_ data: Data, into output: inout Data, limit: Int) -> (used: Int, isWhole: Bool)? {
        var stream = z_stream()
        let gzipWindow: Int32 = 15 + 16
        guard inflateInit2_(&stream, gzipWindow, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var chunk = [UInt8](repeating: 0, count: min(step, limit))
        return data.withUnsafeBytes { input in
            stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
            stream.avail_in = UInt32(clamping: input.count)
            while output.count < limit {
                let room = min(chunk.count, limit - output.count)
                let result = chunk.withUnsafeMutableBufferPointer { buffer in
                    stream.next_out = buffer.baseAddress
                    stream.avail_out = UInt32(room)
                    return inflate(&stream, Z_NO_FLUSH)
                }
                output.append(contentsOf: chunk[..<(room - Int(stream.avail_out))])
                if result == Z_STREAM_END { return (input.count - Int(stream.avail_in), true) }
                guard result == Z_OK, stream.avail_in > 0 || stream.avail_out == 0 else { return (0, false) }
            }
            return (0, false)
        }
    }
}
