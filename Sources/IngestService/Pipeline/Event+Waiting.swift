// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension Event {
    var hasMemory: Bool {
        memory?.isEmpty == false || threads.contains { $0.stack != nil }
    }
}

/// The images that an event's frames lie in, by their build ids.
struct ImagesOfFrames {
    /// All of them.
    private(set) var all: [String] = []
    /// Those that could say more than they did.
    private(set) var wanting: [String] = []
    /// Those whose source would be shown, had it been there.
    private(set) var withoutSource: [String] = []

    init(_ event: Event) {
        var (all, wanting, withoutSource): (Set<BuildID>, Set<BuildID>, Set<BuildID>) = ([], [], [])
        let named = event.imagesWithDebugInfo
        func add(_ frame: borrowing Frame) {
            if frame.lacksSource, let image = frame.buildID { withoutSource.insert(image) }
            guard let image = frame.buildID ?? event.image(at: frame.instructionAddress.rawValue) else { return }
            all.insert(image)
            if frame.wantsMore(than: named) { wanting.insert(image) }
        }
        for thread in event.threads.indices {
            for frame in event.threads[thread].frames.indices { add(event.threads[thread].frames[frame]) }
        }
        for error in event.errors.indices {
            for frame in event.errors[error].frames.indices { add(event.errors[error].frames[frame]) }
        }
        self.all = all.map(\.description).sorted()
        self.wanting = wanting.map(\.description).sorted()
        self.withoutSource = withoutSource.map(\.description).sorted()
    }
}

extension Event {
    fileprivate func image(at address: UInt64) -> BuildID? {
        debugImages.first { $0.contains(address) }?.buildID
    }
}

extension Frame {
    fileprivate var lacksSource: Bool { inApp == true && file != nil && line != nil && sourceContext == nil }
}
