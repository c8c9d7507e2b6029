// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension Event {
    var hasMemory: Bool {
        memory?.isEmpty == false || threads.contains { $0.stack != nil }
    }

    /// Build ids of the images that frames lie in.
    var imagesOfFrames: [String] {
        let ids = (threads.flatMap(\.frames) + errors.flatMap(\.frames)).compactMap(image)
        return Set(ids).map(\.description).sorted()
    }

    private func image(of frame: Frame) -> BuildID? {
        frame.buildID ?? debugImages.first { $0.contains(frame.instructionAddress.rawValue) }?.buildID
    }

    /// Build ids of the images that frames lie in and that could say more than they did.
    var imagesThatWouldTellMore: [String] {
        let frames = threads.flatMap(\.frames) + errors.flatMap(\.frames)
        let wanting: Set<FrameStatus?> = [nil, .missingImage, .noDebugInfo, .noSymbol]
        let ids = frames.filter { wanting.contains($0.status) }.compactMap(image)
        return Set(ids.map(\.description)).sorted()
    }

    /// Build ids of the images whose source would be shown, had it been there.
    var imagesWithoutSource: [String] {
        let frames = threads.flatMap(\.frames) + errors.flatMap(\.frames)
        let ids = frames.compactMap { frame in
            frame.inApp == true && frame.file != nil && frame.line != nil && frame.sourceContext == nil
                ? frame.buildID : nil
        }
        return Set(ids.map(\.description)).sorted()
    }
}
