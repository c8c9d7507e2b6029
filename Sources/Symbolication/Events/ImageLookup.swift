// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// The images of an event by address.
struct ImageLookup {
    private let sorted: [(image: DebugImage, index: Int)]

    init(_ images: [DebugImage]) {
        sorted = images.enumerated().map { ($0.element, $0.offset) }.sorted {
            $0.image.imageAddress < $1.image.imageAddress
        }
    }

    /// The index, in the event's order, of the image that holds an address; of several that claim it, the one that
    /// starts last.
    func index(at address: UInt64) -> Int? {
        let end = sorted.upperBound { $0.image.imageAddress.rawValue <= address }
        // Images do not overlap in a process; in a damaged event they may, and a few are looked through.
        for entry in sorted[max(0, end - 8)..<end].reversed() where entry.image.contains(address) { return entry.index }
        return nil
    }
}
