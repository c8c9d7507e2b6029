// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Why a source file is not used.
package struct SourceOmission: OpenEnum {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// It is not on this machine.
    package static let notFound = SourceOmission(rawValue: "not_found")
    /// It lies in none of the allowed folders, or a link leads out of them.
    package static let outside = SourceOmission(rawValue: "outside")
    /// Its name is not that of a source file.
    package static let notSource = SourceOmission(rawValue: "not_source")
    /// It is a folder, a device or something else than a regular file.
    package static let notRegular = SourceOmission(rawValue: "not_regular")
    package static let unreadable = SourceOmission(rawValue: "unreadable")
    /// It holds bytes that no text has.
    package static let notText = SourceOmission(rawValue: "not_text")
    package static let tooLarge = SourceOmission(rawValue: "too_large")
    /// Its contents are not those that were compiled: another checksum, or written after the image.
    package static let changed = SourceOmission(rawValue: "changed")
    /// The bundle is full.
    package static let overLimit = SourceOmission(rawValue: "over_limit")

    /// For people.
    package var words: String {
        switch self {
        case .notFound: "not on this machine"
        case .outside: "outside the allowed folders"
        case .notSource: "not named like a source file"
        case .notRegular: "no regular file"
        case .unreadable: "cannot be read"
        case .notText: "no text"
        case .tooLarge: "larger than \(SourceBundleLimits.fileBytes >> 20) MiB"
        case .changed: "changed since the program was built"
        case .overLimit: "beyond the bounds of a bundle"
        default: rawValue
        }
    }
}
