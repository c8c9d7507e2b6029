// SPDX-License-Identifier: Apache-2.0

/// Patterns in which `*` stands for any run of characters; linear in the text for each star.
package enum Glob {
    package static func matches(_ pattern: String, _ text: String) -> Bool {
        let pattern = Array(pattern.utf8)
        let text = Array(text.utf8)
        let star = UInt8(ascii: "*")
        var (position, index) = (0, 0)
        var retry: (position: Int, index: Int)?
        while index < text.count {
            if position < pattern.count, pattern[position] == star {
                retry = (position + 1, index)
                position += 1
            } else if position < pattern.count, pattern[position] == text[index] {
                position += 1
                index += 1
            } else if let last = retry {
                retry = (last.position, last.index + 1)
                (position, index) = (last.position, last.index + 1)
            } else {
                return false
            }
        }
        return pattern[position...].allSatisfy { $0 == star }
    }
}
