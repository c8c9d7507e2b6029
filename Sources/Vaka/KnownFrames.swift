// SPDX-License-Identifier: Apache-2.0
import CVakaHost
import Synchronization
import VakaModel

/// Frames of return addresses that were met before: an error that is reported again and again costs no search in symbol
/// tables. Forgotten when an image comes or goes.
final class KnownFrames: Sendable {
    /// A frame and its image, by its place in `images`.
    struct Known: Sendable {
        let frame: Frame
        let image: Int?
    }

    /// One reading of the loader's list.
    private final class Images: Sendable {
        let generation: UInt64
        let all = LoadedImages.all()

        init(generation: UInt64) {
            self.generation = generation
        }
    }

    private struct State: Sendable {
        var images: Images?
        var frames: [UInt: Known] = [:]
    }

    static let shared = KnownFrames()
    private static let most = 4096

    private let state = Mutex(State())

    /// The frames of the addresses, and the images that hold them.
    ///
    /// Nothing is asked of the loader under the lock: a library that is being loaded may report an error, too.
    func frames(of addresses: [UInt]) -> (frames: [Frame], images: [DebugImage]) {
        let (images, known) = lookUp(addresses, vaka_host_image_generation())
        var new: [UInt: Known] = [:]
        let found = zip(addresses, known).map { address, known in
            if let known = known ?? new[address] { return known }
            let made = Self.make(address, images.all)
            new[address] = made
            return made
        }
        if !new.isEmpty { keep(new, of: images) }
        let used = Set(found.compactMap(\.image))
        return (found.map(\.frame), used.sorted().map { images.all[$0] })
    }

    private func lookUp(_ addresses: [UInt], _ generation: UInt64) -> (Images, [Known?]) {
        let known = state.withLock { state -> (Images, [Known?])? in
            guard let images = state.images, images.generation == generation else { return nil }
            return (images, addresses.map { state.frames[$0] })
        }
        return known ?? (Images(generation: generation), addresses.map { _ in nil })
    }

    private func keep(_ new: [UInt: Known], of images: Images) {
        state.withLock { state in
            if state.images !== images { state = State(images: images) }
            if state.frames.count + new.count > Self.most { state.frames.removeAll(keepingCapacity: true) }
            state.frames.merge(new) { first, _ in first }
        }
    }

    private static func make(_ address: UInt, _ images: [DebugImage]) -> Known {
        let value = UInt64(address)
        let index = images.firstIndex { $0.contains(value) }
        let image = index.map { images[$0] }
        // The frames of calls: a return address lies behind the call.
        let frame = Frame(
            instructionAddress: HexAddress(value), trust: .cfi,
            symbol: vaka_host_symbol(UnsafeRawPointer(bitPattern: address &- 1)).map { String(cString: $0) },
            module: image?.name,
            buildID: image?.buildID, relativeAddress: image.map { HexAddress(value - $0.imageAddress.rawValue) })
        return Known(frame: frame, image: index)
    }
}
