// SPDX-License-Identifier: Apache-2.0

/// Where source lines come from.
public struct SourceOrigin: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A source bundle that was made where the image was built.
    public static let bundle = SourceOrigin(rawValue: "bundle")
    /// A file of the machine that symbolicated.
    public static let file = SourceOrigin(rawValue: "file")
}

/// The source around a frame's line.
public struct SourceContext: Codable, Hashable, Sendable {
    /// Lines before and after, at most.
    public static let linesAround = 5
    /// Characters of a line; a longer one is cut and ends with "…".
    public static let lineCharacters = 200

    /// The lines before it, first to last.
    public var pre: [String]
    /// The frame's line, without its end.
    public var line: String
    public var post: [String]
    public var origin: SourceOrigin
    /// The debug information has the checksum of the file that was compiled, and this is that file. False where it has
    /// none to compare with.
    public var verified: Bool

    public init(pre: [String], line: String, post: [String], origin: SourceOrigin, verified: Bool) {
        self.pre = pre
        self.line = line
        self.post = post
        self.origin = origin
        self.verified = verified
    }

    /// With their numbers, at most `count` before and after; none where `own`, as the frame has it, is the number of no line.
    package func numbered(_ own: Int, around count: Int = linesAround) -> [(number: Int, text: String)] {
        guard (1...Self.highestLine).contains(own) else { return [] }
        let before = pre.suffix(count)
        return Array(zip((own - before.count)..., before + [line] + post.prefix(count)))
    }

    private static let highestLine = 1 << 40

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case pre, line, post, origin, verified
    }
}
