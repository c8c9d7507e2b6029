// SPDX-License-Identifier: Apache-2.0
import CZstd
package import FoundationEssentials
import Synchronization

/// Compression of what is stored.
package enum Zstandard {
    package enum Effort: Int32 {
        /// For what is stored for good.
        case usual = 3
        /// For what is soon read again.
        case small = 1
    }

    package struct Damaged: Error {}

    /// Contexts are dear to make: they are kept.
    private static let idle = Mutex<[Context]>([])
    private static let mostIdle = 8

    private struct Context: @unchecked Sendable {  // used by the one who took it
        let pointer: OpaquePointer
    }

    package static func compress(_ data: Data, _ effort: Effort = .usual) throws(Damaged) -> Data {
        guard let context = idle.withLock({ $0.popLast() }) ?? ZSTD_createCCtx().map(Context.init) else {
            throw Damaged()
        }
        defer { keep(context) }
        var output = Data(count: ZSTD_compressBound(data.count))
        let size = output.withUnsafeMutableBytes { room in
            data.withUnsafeBytes { input in
                ZSTD_compressCCtx(
                    context.pointer, room.baseAddress, room.count, input.baseAddress, input.count, effort.rawValue)
            }
        }
        guard ZSTD_isError(size) == 0 else { throw Damaged() }
        return Data(output.prefix(size))
    }

    private static func keep(_ context: Context) {
        let isKept = idle.withLock { contexts in
            guard contexts.count < mostIdle else { return false }
            contexts.append(context)
            return true
        }
        if !isKept { ZSTD_freeCCtx(context.pointer) }
    }

    /// `limit` bounds the output whatever the input's header says.
    package static func decompress(_ data: Data, limit: Int = 512 << 20) throws(Damaged) -> Data {
        let size = data.withUnsafeBytes { ZSTD_getFrameContentSize($0.baseAddress, $0.count) }
        guard size <= UInt64(limit) else { throw Damaged() }
        var output = Data(count: Int(size))
        let made = output.withUnsafeMutableBytes { room in
            data.withUnsafeBytes { input in
                ZSTD_decompress(room.baseAddress, room.count, input.baseAddress, input.count)
            }
        }
        guard ZSTD_isError(made) == 0, made == output.count else { throw Damaged() }
        return output
    }
}
