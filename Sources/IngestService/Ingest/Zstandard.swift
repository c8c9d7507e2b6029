// SPDX-License-Identifier: Apache-2.0
import CZstd
package import FoundationEssentials

/// Compression of what is stored.
package enum Zstandard {
    package enum Effort: Int32 {
        /// For what is stored for good.
        case usual = 3
        /// For what is soon read again.
        case small = 1
    }

    package struct Damaged: Error {}

    private static let idle = ContextPool(make: { ZSTD_createCCtx() }, free: { ZSTD_freeCCtx($0) })

    package static func compress(_ data: Data, _ effort: Effort = .usual) throws(Damaged) -> Data {
        var size = 0
        let output = idle.with { context in
            [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(data.count)) { room, count in
                size = data.withUnsafeBytes { input in
                    ZSTD_compressCCtx(
                        context, room.baseAddress, room.count, input.baseAddress, input.count, effort.rawValue)
                }
                count = ZSTD_isError(size) == 0 ? size : 0
            }
        }
        guard let output, ZSTD_isError(size) == 0 else { throw Damaged() }
        return Data(output)
    }

    /// `limit` bounds the output whatever the input's header says.
    package static func decompress(_ data: Data, limit: Int = 512 << 20) throws(Damaged) -> Data {
        guard let size = data.withUnsafeBytes({ claimedSize($0) }), size <= limit else { throw Damaged() }
        var output = Data(count: size)
        let made = output.withUnsafeMutableBytes { room in
            data.withUnsafeBytes { input in
                ZSTD_decompress(room.baseAddress, room.count, input.baseAddress, input.count)
            }
        }
        guard ZSTD_isError(made) == 0, made == output.count else { throw Damaged() }
        return output
    }

    /// As the first frame's header says it; nil where it does not, or there is none.
    static func claimedSize(_ bytes: UnsafeRawBufferPointer) -> Int? {
        let size = ZSTD_getFrameContentSize(bytes.baseAddress, bytes.count)
        // The two highest values stand for "unknown" and "damaged".
        return Int(exactly: size)
    }
}
