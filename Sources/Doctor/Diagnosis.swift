// SPDX-License-Identifier: Apache-2.0

/// All that was found.
package struct Diagnosis: Codable, Sendable {
    package let schemaVersion: Int
    /// Whether a crash here, with this storage folder, leaves a record.
    package let captures: Bool
    package let findings: [Finding]

    package init(captures: Bool, findings: [Finding]) {
        schemaVersion = 1
        self.captures = captures
        let order = Dictionary(uniqueKeysWithValues: Finding.Key.allCases.enumerated().map { ($0.element, $0.offset) })
        self.findings = findings.sorted { order[$0.key, default: 0] < order[$1.key, default: 0] }
    }

    package func adding(_ finding: Finding) -> Diagnosis {
        Diagnosis(captures: captures, findings: findings + [finding])
    }

    private enum CodingKeys: String, CodingKey {
        case schemaVersion = "schema_version"
        case captures, findings
    }
}
