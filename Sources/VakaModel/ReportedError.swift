// SPDX-License-Identifier: Apache-2.0

/// A handled error, or the text of a message event (then its type is `message`).
public struct ReportedError: Codable, Hashable, Sendable {
    public var type: String
    @ExplicitNull public var message: String?
    @Defaulted public var frames: [Frame]

    public init(type: String, message: String?, frames: [Frame] = []) {
        self.type = type
        self.message = message
        self.frames = frames
    }
}
