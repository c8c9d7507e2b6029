// SPDX-License-Identifier: Apache-2.0
import CSodium

/// BLAKE2b over bytes as they arrive. One thread at a time.
final class ContentHash {
    private let memory = UnsafeMutableRawPointer.allocate(byteCount: crypto_generichash_statebytes(), alignment: 64)
    private var state: OpaquePointer { OpaquePointer(memory) }

    init() {
        crypto_generichash_init(state, nil, 0, 32)
    }

    deinit {
        memory.deallocate()
    }

    func add(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        crypto_generichash_update(state, base.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
    }

    /// In hexadecimal; nothing may be added afterwards.
    func finish() -> String {
        var output = [UInt8](repeating: 0, count: 32)
        crypto_generichash_final(state, &output, output.count)
        return output.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
