// SPDX-License-Identifier: Apache-2.0
package import VakaModel

extension Event {
    /// Only the images that a frame, a register or a word of a captured stack points into: what is worth sending.
    package func keepingReferencedImages() -> Event {
        let sorted = debugImages.indices.sorted { debugImages[$0].imageAddress < debugImages[$1].imageAddress }
        var used: Set<Int> = []
        for address in referencedAddresses {
            if let index = Self.image(of: address, in: debugImages, sorted: sorted) { used.insert(index) }
        }
        var copy = self
        copy.debugImages = debugImages.indices.filter { used.contains($0) }.map { debugImages[$0] }
        return copy
    }

    private var referencedAddresses: [UInt64] {
        var addresses = errors.flatMap { $0.frames.map(\.instructionAddress.rawValue) }
        for thread in threads {
            addresses += thread.frames.map(\.instructionAddress.rawValue)
            addresses += thread.registers.values.map(\.rawValue)
            if let stack = thread.stack { addresses += stack.words }
        }
        return addresses
    }

    /// The image with the highest start not above the address, if it reaches that far.
    private static func image(of address: UInt64, in images: [DebugImage], sorted: [Int]) -> Int? {
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            if images[sorted[middle]].imageAddress.rawValue <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0, images[sorted[low - 1]].contains(address) else { return nil }
        return sorted[low - 1]
    }
}

extension MemoryRegion {
    /// Its 8-byte words at addresses that are multiples of 8.
    fileprivate var words: [UInt64] {
        let skip = Int((8 - address.rawValue % 8) % 8)
        return data.withUnsafeBytes { buffer in
            guard buffer.count >= skip + 8 else { return [] }
            return stride(from: skip, through: buffer.count - 8, by: 8).map {
                buffer.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
            }
        }
    }
}
