// SPDX-License-Identifier: Apache-2.0

/// Where the stack of a reported error was taken.
public struct StackOrigin: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Where the error was reported.
    public static let capture = StackOrigin(rawValue: "capture")
    /// Where the error was thrown.
    public static let `throw` = StackOrigin(rawValue: "throw")
}

/// A handled error, or the text of a message event (then its type is `message`).
public struct ReportedError: Codable, Hashable, Sendable {
    public var type: String
    @ExplicitNull public var message: String?
    @Defaulted public var frames: [Frame]
    /// What the frames are of; nil where there are none, or where the sender did not tell.
    public var stackOf: StackOrigin?
    /// The index of the error that this one is the cause of; nil of the error that was reported.
    public var causeOf: Int?
    /// Of an `NSError` and its like.
    public var domain: String?
    public var code: Int?

    public init(type: String, message: String?, frames: [Frame] = [], stackOf: StackOrigin? = nil) {
        self.type = type
        self.message = message
        self.frames = frames
        self.stackOf = stackOf
    }

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case type, message, frames
        case stackOf = "stack_of"
        case causeOf = "cause_of"
        case domain, code
    }
}
