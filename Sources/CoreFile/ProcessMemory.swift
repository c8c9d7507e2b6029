// SPDX-License-Identifier: Apache-2.0

/// The memory of a process that is no more, as far as it was kept.
package protocol ProcessMemory {
    /// Up to `count` bytes from `address` on; fewer, or none, where the memory is not known.
    func bytes(_ address: UInt64, _ count: Int) -> [UInt8]
}

extension ProcessMemory {
    /// Nil where not all of it is known.
    package func value<Value: BitwiseCopyable>(_ type: Value.Type, at address: UInt64) -> Value? {
        bytes(address, MemoryLayout<Value>.size).value(type, at: 0)
    }
}

extension [UInt8] {
    /// Nil past the end.
    package func value<Value: BitwiseCopyable>(_ type: Value.Type, at offset: Int) -> Value? {
        withUnsafeBytes { $0.value(type, at: offset) }
    }

    /// Text up to the first NUL, or to the end.
    package func text(at offset: Int, longest: Int) -> String {
        String(decoding: dropFirst(offset).prefix(longest).prefix { $0 != 0 }, as: UTF8.self)
    }
}
