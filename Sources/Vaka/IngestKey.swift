// SPDX-License-Identifier: Apache-2.0
/// A key that can stand in a header.
struct IngestKey {
    struct Invalid: Error, CustomStringConvertible {
        let description = "the key is empty or has characters that no key has; copy it whole from the project's page"
    }

    let text: String

    init(_ text: String) throws(Invalid) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { throw Invalid() }
        self.text = text
    }
}
