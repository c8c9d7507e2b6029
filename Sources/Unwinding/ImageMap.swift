// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The images of one event by address. Opens an image's file when it is first asked for.
final class ImageMap {
    private let images: [DebugImage]
    private let locate: (DebugImage) -> ImageFiles
    private var opened: [Int: UnwindImage] = [:]

    init(_ images: [DebugImage], locate: @escaping (DebugImage) -> ImageFiles) {
        self.images = images.sorted { $0.imageAddress < $1.imageAddress }
        self.locate = locate
    }

    /// The image that holds `address`; of several that claim it, the one that starts last.
    func image(at address: UInt64) -> UnwindImage? {
        var low = 0
        var high = images.count
        while low < high {
            let middle = low + (high - low) / 2
            if images[middle].imageAddress.rawValue <= address { low = middle + 1 } else { high = middle }
        }
        // Images do not overlap in a process; in a damaged event they may, and a few are looked through.
        for index in stride(from: low - 1, through: max(0, low - 8), by: -1) where images[index].contains(address) {
            return open(index)
        }
        return nil
    }

    private func open(_ index: Int) -> UnwindImage {
        if let image = opened[index] { return image }
        let image = UnwindImage(images[index], files: locate(images[index]))
        opened[index] = image
        return image
    }
}
