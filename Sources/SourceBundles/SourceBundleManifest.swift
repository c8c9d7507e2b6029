// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What a source bundle says of itself: `manifest.json`, its first entry. docs/source-bundle-format.md has the rules.
package struct SourceBundleManifest: Codable, Hashable, Sendable {
    package static let format = "vaka-source-bundle"
    package static let version = 1

    package struct File: Codable, Hashable, Sendable {
        /// As the debug information names it, joined with its folders and without `.` and `..`.
        package var path: String
        /// The compilation folder (DW_AT_comp_dir) of a unit that names it.
        @ExplicitNull package var compilationFolder: String?
        /// Of its contents, in lowercase hex; also the name of its entry: `files/<sha256>`.
        package var sha256: String
        /// Of its contents, in lowercase hex.
        package var md5: String
        package var size: Int
        /// The debug information has the checksum of the file it was made from, and these are its contents.
        package var verified: Bool

        package init(
            path: String, compilationFolder: String?, sha256: String, md5: String, size: Int, verified: Bool
        ) {
            self.path = path
            self.compilationFolder = compilationFolder
            self.sha256 = sha256
            self.md5 = md5
            self.size = size
            self.verified = verified
        }

        private enum CodingKeys: String, CodingKey {
            case path
            case compilationFolder = "compilation_folder"
            case sha256, md5, size, verified
        }
    }

    /// The files that the debug information names and the bundle does not hold.
    package struct Missing: Codable, Hashable, Sendable {
        package struct File: Codable, Hashable, Sendable {
            package var path: String
            package var why: SourceOmission

            package init(path: String, why: SourceOmission) {
                self.path = path
                self.why = why
            }
        }

        /// Of all.
        package var count: Int
        /// By path; the first `SourceBundleLimits.namedMissing`.
        package var files: [File]

        package init(count: Int, files: [File]) {
            self.count = count
            self.files = files
        }
    }

    package var format: String
    package var version: Int
    package var buildID: BuildID
    /// Sorted by path.
    package var files: [File]
    package var missing: Missing

    package init(buildID: BuildID, files: [File], missing: Missing) {
        format = Self.format
        version = Self.version
        self.buildID = buildID
        self.files = files
        self.missing = missing
    }

    private enum CodingKeys: String, CodingKey {
        case format, version
        case buildID = "build_id"
        case files, missing
    }
}
