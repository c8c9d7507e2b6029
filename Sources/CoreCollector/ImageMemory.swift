// SPDX-License-Identifier: Apache-2.0
import CElfutils
import CoreFile

/// The process's memory: what was kept of it, then what its images' files hold of segments that nobody could write to.
final class ImageMemory: ProcessMemory {
    private struct Image {
        var image: CoreImage
        var descriptor: Int32
    }

    private let spool: CoreSpool
    /// By address.
    private let images: [Image]

    /// - Parameter descriptor: of an image's file; nil where it is not at hand.
    init(spool: CoreSpool, images: [CoreImage], descriptor: (CoreImage) -> Int32?) {
        self.spool = spool
        self.images = images.compactMap { image in descriptor(image).map { Image(image: image, descriptor: $0) } }
            .sorted { $0.image.image.imageAddress < $1.image.image.imageAddress }
    }

    func bytes(_ address: UInt64, _ count: Int) -> [UInt8] {
        let kept = spool.bytes(address, count)
        return kept.isEmpty ? fileBytes(address, count) : kept
    }

    private func fileBytes(_ address: UInt64, _ count: Int) -> [UInt8] {
        guard let image = image(at: address) else { return [] }
        let linked = address &- image.image.loadBias
        let segment = image.image.programHeaders.first { header in
            header.p_type == UInt32(PT_LOAD) && header.p_flags & UInt32(PF_W) == 0 && linked >= header.p_vaddr
                && linked - header.p_vaddr < header.p_filesz
        }
        guard let segment else { return [] }
        let skipped = linked - segment.p_vaddr
        let known = min(UInt64(max(0, count)), segment.p_filesz - skipped)
        return ElfHeaders.bytes(image.descriptor, segment.p_offset &+ skipped, Int(known))
    }

    private func image(at address: UInt64) -> Image? {
        var low = 0
        var high = images.count
        while low < high {
            let middle = (low + high) / 2
            if images[middle].image.image.imageAddress.rawValue <= address { low = middle + 1 } else { high = middle }
        }
        return low > 0 && images[low - 1].image.image.contains(address) ? images[low - 1] : nil
    }
}
