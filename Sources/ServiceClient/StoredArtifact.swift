// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// A debug image or a source bundle that the service has.
package struct StoredArtifact: Codable, Hashable, Sendable {
    package var buildID: BuildID
    @Defaulted package var kind: ArtifactKind
    /// It holds the program's code and unwind tables.
    package var hasCode: Bool
    /// It holds DWARF.
    package var hasDebugInfo: Bool
    package var size: UInt64
    package var name: String?
    /// When it came, RFC 3339.
    package var uploadedAt: String?
    /// Stored events that need it.
    package var events: Int?
    /// Of a source bundle: its files, and those that are known to be what was compiled.
    package var sourceFiles: Int?
    package var verifiedFiles: Int?

    private enum CodingKeys: String, CodingKey {
        case buildID = "build_id"
        case hasCode = "has_code"
        case hasDebugInfo = "has_debug_info"
        case kind, size, name, events
        case uploadedAt = "uploaded_at"
        case sourceFiles = "source_files"
        case verifiedFiles = "verified_files"
    }

    struct Page: Codable {
        var artifacts: [StoredArtifact]
        var nextCursor: String?

        private enum CodingKeys: String, CodingKey {
            case artifacts
            case nextCursor = "next_cursor"
        }
    }
}
