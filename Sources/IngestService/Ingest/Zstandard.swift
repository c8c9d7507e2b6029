// SPDX-License-Identifier: Apache-2.0
import CZstd
import FoundationEssentials

/// Compression of what is stored.
enum Zstandard {
    private static let level: Int32 = 3

    struct Damaged: Error {}

    static func compress(_ data: Data) throws(Damaged) -> Data {
        var output = [UInt8](repeating: 0, count: ZSTD_compressBound(data.count))
        let size = data.withUnsafeBytes { input in
            ZSTD_compress(&output, output.count, input.baseAddress, input.count, level)
        }
        guard ZSTD_isError(size) == 0 else { throw Damaged() }
        return Data(output[..<size])
    }

    /// `limit` bounds the output whatever the input's header says.
    static func decompress(_ data: Data, limit: Int = 512 << 20) throws(Damaged) -> Data {
        let bytes = [UInt8](data)
        let size = ZSTD_getFrameContentSize(bytes, bytes.count)
        guard size <= UInt64(limit) else { throw Damaged() }
        var output = [UInt8](repeating: 0, count: Int(size))
        let made = ZSTD_decompress(&output, output.count, bytes, bytes.count)
        guard ZSTD_isError(made) == 0, made == output.count else { throw Damaged() }
        return Data(output)
    }
}
