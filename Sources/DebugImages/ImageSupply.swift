// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// Who can give an image that would make frames of an event readable, and how.
package struct ImageSupply: Codable, Hashable, Sendable {
    package enum Supplier: String, Codable, Sendable, CaseIterable {
        /// Whoever built the program.
        case you
        /// The distribution that the program ran on.
        case distribution
        case nobody
    }

    /// Nil where the image has none, or where the code lay in none.
    @ExplicitNull package var buildID: BuildID?
    /// As the process knew it.
    @ExplicitNull package var codeFile: String?
    /// Frames that lie in it and are not fully named.
    package var frames: Int
    package var supplier: Supplier
    /// For people.
    package var reason: String
    /// To be typed as it is, but for the address and the token. Nil where nothing helps.
    @ExplicitNull package var command: String?

    private enum CodingKeys: String, CodingKey {
        case buildID = "build_id"
        case codeFile = "code_file"
        case frames, supplier, reason, command
    }

    /// Of every image that would tell more about the event; those of the most frames first.
    ///
    /// - Parameter service: the address of the service to upload to.
    package static func missing(in event: Event, service: String = "$VAKA_URL") -> [ImageSupply] {
        let named = event.imagesWithDebugInfo
        var counts: [DebugImage?: Int] = [:]
        // One after the other: there may be many thousand.
        for frames in event.threads.lazy.map(\.frames) + event.errors.lazy.map(\.frames) {
            for frame in frames where frame.status == .noModule || frame.wantsMore(than: named) {
                let image = event.debugImages.first { image in
                    frame.buildID.map { $0 == image.buildID } ?? image.contains(frame.instructionAddress.rawValue)
                }
                counts[image, default: 0] += 1
            }
        }
        let context = SupplyContext(event: event, service: service)
        return counts.map { context.supply(of: $0.key, frames: $0.value) }.sorted {
            ($1.frames, $0.codeFile ?? "") < ($0.frames, $1.codeFile ?? "")
        }
    }
}
