// SPDX-License-Identifier: Apache-2.0

/// Compares a stack with another, frame by frame, each written as text.
package struct FrameComparison: Sendable {
    package var equal = 0
    package var total = 0
    /// The places that differ, one a line.
    package var differences: [String] = []

    package init() {}

    /// Compares all frames or, of a stack that overflowed, `depth` frames from the second: where in the function the
    /// stack ended depends on where it began, which differs from run to run.
    package init(name: String, expected: [String], found: [String], depth: Int?) {
        let range = depth.map { 1..<$0 + 1 } ?? 0..<Int.max
        self.init(
            name: name, expected: Array(expected.dropFirst(range.lowerBound).prefix(range.count)),
            found: Array(found.dropFirst(range.lowerBound).prefix(range.count)))
    }

    /// Compares with declared frames; after `...` any may follow.
    package init(name: String, declared: [String], found: [String]) {
        let isOpen = declared.last == "..."
        let expected = isOpen ? declared.dropLast() : declared[...]
        self.init(
            name: name, expected: Array(expected), found: isOpen ? Array(found.prefix(expected.count)) : found)
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
