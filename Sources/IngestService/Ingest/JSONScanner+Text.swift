// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

extension JSONScanner {
    /// The string that was found; nil for values of other types.
    func text(_ finding: JSONFinding?) -> String? {
        finding.flatMap { finding in
            plainText(finding.range) ?? (try? ModelCoding.decode(String.self, from: Data(slice(finding.range))))
        }
    }

    /// The value as it is written; empty where there is none and for `null`.
    func written(_ finding: JSONFinding?) -> ArraySlice<UInt8> {
        guard let finding else { return [] }
        let value = slice(finding.range)
        return value.elementsEqual("null".utf8) ? [] : value
    }
}
