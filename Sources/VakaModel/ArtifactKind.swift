// SPDX-License-Identifier: Apache-2.0

/// What was uploaded for a build id.
public struct ArtifactKind: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A debug image: an ELF file.
    public static let native = ArtifactKind(rawValue: "native")
    /// The split-off debug information of an image: a `.dwp` package.
    public static let package = ArtifactKind(rawValue: "package")
    /// A source bundle.
    public static let sources = ArtifactKind(rawValue: "sources")
}

extension ArtifactKind: DefaultProviding {
    public static var absent: ArtifactKind { .native }
}
