// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// A debug image or a source bundle that was uploaded.
package struct Artifact: Hashable, Sendable {
    package var id: Int64
    package var buildID: String
    package var kind: ArtifactKind
    package var hasCode: Bool
    package var hasDebugInfo: Bool
    package var size: Int64
    package var name: String?
    package var release: String?
    package var uploadedAt: Timestamp
    /// Of a source bundle: its files, and those that are known to be what was compiled.
    package var sourceFiles: Int?
    package var verifiedFiles: Int?
    /// Stored events of the project with frames in the image.
    package var events: Int

    /// Whose images the service's own are, that it fetched elsewhere: no project's, and in no list.
    package static let noProject: Int64 = 0

    package init(
        id: Int64 = 0, buildID: String, kind: ArtifactKind = .native, hasCode: Bool = false, hasDebugInfo: Bool = false,
        size: Int64, name: String?, release: String?, uploadedAt: Timestamp, sourceFiles: Int? = nil,
        verifiedFiles: Int? = nil, events: Int = 0
    ) {
        self.id = id
        self.buildID = buildID
        self.kind = kind
        self.hasCode = hasCode
        self.hasDebugInfo = hasDebugInfo
        self.size = size
        self.name = name
        self.release = release
        self.uploadedAt = uploadedAt
        self.sourceFiles = sourceFiles
        self.verifiedFiles = verifiedFiles
        self.events = events
    }
}

/// An image that would make frames readable, and is not here.
package struct MissingImage: Hashable, Sendable {
    package var buildID: String
    /// Stored events with frames in it.
    package var events: Int
    /// The id of the latest that waits for it.
    package var latestEvent: String
}

/// Which artifacts a list shows; nil is all.
package struct ArtifactFilter: Hashable, Sendable {
    package var buildID: String?
    package var kind: ArtifactKind?
    /// Those that no stored event needs and that came before this time.
    package var unusedBefore: Timestamp?

    package init(buildID: String? = nil, kind: ArtifactKind? = nil, unusedBefore: Timestamp? = nil) {
        self.buildID = buildID
        self.kind = kind
        self.unusedBefore = unusedBefore
    }
}
