// SPDX-License-Identifier: Apache-2.0
import CZstd
package import FoundationEssentials

/// Compression of what is stored.
package enum Zstandard {
    private static let level: Int32 = 3

    package struct Damaged: Error {}

    package static func compress(_ data: Data) throws(Damaged) -> Data {
        var output = [UInt8](repeating: 0, count: ZSTD_compressBound(data.count))
        let size = data.withUnsafeBytes { input in
            ZSTD_compress(&output, output.count, input.baseAddress, input.count, level)
        }
        guard ZSTD_isError(size) == 0 else { throw Damaged() }
        return Data(output[..<size])
    }

    /// `limit` bounds the output whatever the input's header says.
    package static func decompress(_ data: Data, limit: Int = 512 << 20) throws(Damaged) -> Data {
        let bytes = [UInt8](data)
        let size = ZSTD_getFrameContentSize(bytes, bytes.count)
        guard size <= UInt64(limit) else { throw Damaged() }
        var output = [UInt8](repeating: 0, count: Int(size))
        let made = ZSTD_decompress(&output, output.count, bytes, bytes.count)
        guard ZSTD_isError(made) == 0, made == output.count else { throw Damaged() }
        return Data(output)
    }
}
