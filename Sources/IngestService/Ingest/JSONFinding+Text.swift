// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import JSONScan
import VakaModel

extension JSONFinding {
    /// What a string says; nil for values of other types, and for what is no Unicode.
    var text: String? {
        let value = slice
        guard value.first == UInt8(ascii: "\"") else { return nil }
        guard !value.contains(UInt8(ascii: "\\")) else {
            return try? ModelCoding.decode(String.self, from: Data(value))
        }
        return String(validating: value.dropFirst().dropLast(), as: UTF8.self)
    }
}

extension JSONFinding? {
    /// The value as it is written; empty where there is none and for `null`.
    var written: ArraySlice<UInt8> {
        guard let self else { return [] }
        let value = self.slice
        return value.elementsEqual("null".utf8) ? [] : value
    }
}
