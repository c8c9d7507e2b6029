// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What became of an uploaded debug image.
package struct UploadOutcome: Codable, Hashable, Sendable {
    package struct Kind: OpenEnum {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        package static let stored = Kind(rawValue: "stored")
        package static let alreadyThere = Kind(rawValue: "already_there")
        /// What the service has tells more than this file; it was kept.
        package static let poorerThanStored = Kind(rawValue: "poorer_than_stored")
    }

    package var buildID: BuildID
    package var outcome: Kind
    /// For a person, where it was not stored.
    package var reason: String?
    /// What the service found of the image: what it can give, what it lacks.
    @Defaulted package var findings: [ImageFinding]

    private enum CodingKeys: String, CodingKey {
        case buildID = "build_id"
        case outcome, reason, findings
    }
}
