// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

/// The process's memory as far as it is known: captured regions first, then what a reader knows, then what the image
/// files say of segments that nobody could have written to.
struct CapturedMemory {
    /// Up to so many bytes from an address on; fewer, or none, where they are not known.
    typealias Reader = (UInt64, Int) -> [UInt8]

    private let regions: [MemoryRegion]
    private let images: ImageMap
    private let reader: Reader?

    init(regions: [MemoryRegion], images: ImageMap, reader: Reader? = nil) {
        self.regions = regions
        self.images = images
        self.reader = reader
    }

    /// `count` bytes (1 to 8) at `address`, little-endian; nil where any of them is not known.
    func read(_ address: UInt64, count: Int = 8) -> UInt64? {
        guard (1...8).contains(count), address <= UInt64.max - UInt64(count) else { return nil }
        for region in regions {
            if let value = Self.value(in: region, address, count) { return value }
        }
        if let bytes = reader?(address, count), bytes.count == count {
            return bytes.withUnsafeBytes { Self.littleEndian($0) }
        }
        return images.image(at: address)?.readOnlyValue(address, count: count)
    }

    private static func value(in region: MemoryRegion, _ address: UInt64, _ count: Int) -> UInt64? {
        let start = region.address.rawValue
        let size = UInt64(region.data.count)
        guard address >= start, address - start <= size, UInt64(count) <= size - (address - start) else { return nil }
        let offset = Int(address - start)
        return region.data.withUnsafeBytes { bytes in
            littleEndian(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        }
    }

    static func littleEndian(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        bytes.reversed().reduce(0) { value, byte in value << 8 | UInt64(byte) }
    }
}
