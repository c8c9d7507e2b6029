// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
package import VakaModel

/// The record as it was captured, section by section, damage included: what `vaka inspect` shows.
package struct RecordInspection: Codable, Sendable {
    /// One section: where it lies and what it says, a line each.
    package struct Section: Codable, Sendable {
        package var name: String
        package var sequence: UInt32
        package var offset: Int
        package var bytes: Int
        package var lines: [String]
    }

    package struct Damage: Codable, Sendable {
        package var offset: Int
        package var bytes: Int
        package var why: String
    }

    @ExplicitNull package var recordID: String?
    package var format: String
    package var complete: Bool
    package var bytes: Int
    package var sections: [Section]
    package var damage: [Damage]

    package init(_ file: CrashRecordFile) {
        recordID = file.header.map { hexText(byteArray($0.record_id)) }
        format = file.header.map { "\($0.version_major).\($0.version_minor)" } ?? "unknown"
        complete = file.isComplete
        bytes = file.bytes.count
        sections = file.sections.map { section in
            Section(
                name: section.name ?? "kind \(section.kind)", sequence: section.sequence, offset: section.offset,
                bytes: section.payload.count, lines: SectionDescriber(section).lines())
        }
        damage = file.damage.map { Damage(offset: $0.offset, bytes: $0.bytes, why: $0.why) }
    }

    private enum CodingKeys: String, CodingKey {
        case recordID = "record_id"
        case format, complete, bytes, sections, damage
    }
}
