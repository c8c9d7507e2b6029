// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// A debug image that the service has.
package struct StoredArtifact: Codable, Hashable, Sendable {
    package var buildID: BuildID
    /// It holds the program's code and unwind tables.
    package var hasCode: Bool
    /// It holds DWARF.
    package var hasDebugInfo: Bool
    package var size: UInt64
    package var name: String

    private enum CodingKeys: String, CodingKey {
        case buildID = "build_id"
        case hasCode = "has_code"
        case hasDebugInfo = "has_debug_info"
        case size, name
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
