// SPDX-License-Identifier: Apache-2.0
import CVakaHost
import CrashRecord
import VakaModel

/// The stack of a call, as addresses and the images that hold them; names come from the service.
struct CallStack: Sendable {
    let frames: [Frame]
    let images: [DebugImage]

    /// Of the calling thread, from the caller of the function that makes this value.
    @inline(never)
    init(limit: Int = 128) {
        var addresses = [UnsafeMutableRawPointer?](repeating: nil, count: limit)
        let count = vaka_host_call_stack(&addresses, addresses.count, 1)
        self.init(addresses: addresses.prefix(count).compactMap { $0 })
    }

    init(addresses: [UnsafeMutableRawPointer]) {
        (frames, images) = KnownFrames.shared.frames(of: addresses.map { UInt(bitPattern: $0) })
    }
}
