// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// A debug image that was uploaded.
package struct Artifact: Hashable, Sendable {
    package var id: Int64
    package var buildID: String
    package var hasCode: Bool
    package var hasDebugInfo: Bool
    package var size: Int64
    package var name: String?
    package var release: String?
    package var uploadedAt: Timestamp

    package init(
        id: Int64 = 0, buildID: String, hasCode: Bool, hasDebugInfo: Bool, size: Int64, name: String?, release: String?,
        uploadedAt: Timestamp
    ) {
        self.id = id
        self.buildID = buildID
        self.hasCode = hasCode
        self.hasDebugInfo = hasDebugInfo
        self.size = size
        self.name = name
        self.release = release
        self.uploadedAt = uploadedAt
    }
}
