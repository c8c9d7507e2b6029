// SPDX-License-Identifier: Apache-2.0

extension Event {
    /// Images that named one of the event's frames with file and line: what such a file does not name was compiled
    /// without debug information, and no other file of the build names it.
    package var imagesWithDebugInfo: Set<BuildID> {
        var images: Set<BuildID> = []
        for frames in threads.lazy.map(\.frames) + errors.lazy.map(\.frames) {
            for frame in frames where frame.status == .symbolicated && frame.line != nil {
                if let image = frame.buildID { images.insert(image) }
            }
        }
        return images
    }
}

extension Frame {
    /// Whether a file that is not here may tell more of the frame than is known.
    package func wantsMore(than images: Set<BuildID>) -> Bool {
        switch status {
        case nil, .missingImage: true
        case .noDebugInfo, .noSymbol: buildID.map { !images.contains($0) } ?? true
        default: false
        }
    }
}
