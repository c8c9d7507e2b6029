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
        let loaded = LoadedImages.all()
        frames = addresses.map { address in
            let value = UInt64(UInt(bitPattern: address))
            let image = loaded.first { $0.contains(value) }
            // The frames of calls: a return address lies behind the call.
            return Frame(
                instructionAddress: HexAddress(value), trust: .cfi,
                symbol: vaka_host_symbol(address - 1).map { String(cString: $0) }, module: image?.name,
                buildID: image?.buildID,
                relativeAddress: image.map { HexAddress(value - $0.imageAddress.rawValue) })
        }
        let values = frames.map(\.instructionAddress.rawValue)
        images = loaded.filter { image in values.contains { image.contains($0) } }
    }
}
