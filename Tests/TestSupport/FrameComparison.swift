// SPDX-License-Identifier: Apache-2.0

/// Compares a stack with another, frame by frame, each written as text.
package struct FrameComparison: Sendable {
    package var equal = 0
    package var total = 0
    /// The places that differ, one a line.
    package var differences: [String] = []

    package init() {}

    /// Compares the innermost `depth` frames of both, or all.
    package init(name: String, expected: [String], found: [String], depth: Int?) {
        let depth = depth ?? .max
        self.init(name: name, expected: Array(expected.prefix(depth)), found: Array(found.prefix(depth)))
    }

    /// Compares with declared frames; after `...` any may follow.
    package init(name: String, declared: [String], found: [String]) {
        let isOpen = declared.last == "..."
        let expected = isOpen ? declared.dropLast() : declared[...]
        self.init(name: name, expected: Array(expected), found: found, depth: isOpen ? expected.count : nil)
    }

    /// Frames are equal in order: the longest common subsequence counts, so that one missing frame is one difference.
    package init(name: String, expected: [String], found: [String]) {
        var lengths = Array(repeating: Array(repeating: 0, count: found.count + 1), count: expected.count + 1)
        for left in expected.indices.reversed() {
            for right in found.indices.reversed() {
                lengths[left][right] =
                    expected[left] == found[right]
                    ? lengths[left + 1][right + 1] + 1 : max(lengths[left + 1][right], lengths[left][right + 1])
            }
        }
        equal = lengths[0][0]
        total = max(expected.count, found.count)
        var (left, right) = (0, 0)
        while left < expected.count || right < found.count {
            if left < expected.count, right < found.count, expected[left] == found[right] {
                (left, right) = (left + 1, right + 1)
            } else if right == found.count
                || left < expected.count && lengths[left + 1][right] >= lengths[left][right + 1]
            {
                differences.append("\(name): #\(left) expected \(expected[left]), not found")
                left += 1
            } else {
                differences.append("\(name): #\(right) found \(found[right]), not expected")
                right += 1
            }
        }
    }

    package static func += (left: inout FrameComparison, right: FrameComparison) {
        left.equal += right.equal
        left.total += right.total
        left.differences += right.differences
    }

    package var share: Double { total == 0 ? 0 : Double(equal) / Double(total) }
}
