// SPDX-License-Identifier: Apache-2.0

/// A run of a screen's drawings that others stand in place of.
public struct RecordingChange: Codable, Hashable, Sendable {
    /// Where, in the list of drawings as the changes before this one left it.
    public var index: Int
    /// How many go.
    public var removed: Int
    /// What comes there, from back to front.
    public var drawings: [RecordingDrawing]

    /// A change.
    public init(index: Int, removed: Int, drawings: [RecordingDrawing]) {
        self.index = index
        self.removed = removed
        self.drawings = drawings
    }

    /// What makes the new list out of the old. Lists of one length are compared place by place; of others, what both begin and
    /// end with stays.
    public static func between(_ old: [RecordingDrawing], _ new: [RecordingDrawing]) -> [RecordingChange] {
        old.count == new.count ? runs(old, new) : middle(old, new)
    }

    private static func runs(_ old: [RecordingDrawing], _ new: [RecordingDrawing]) -> [RecordingChange] {
        var changes: [RecordingChange] = []
        var index = 0
        while index < new.count {
            guard old[index] != new[index] else {
                index += 1
                continue
            }
            let start = index
            while index < new.count, old[index] != new[index] { index += 1 }
            changes.append(
                RecordingChange(index: start, removed: index - start, drawings: Array(new[start..<index])))
        }
        return changes
    }

    private static func middle(_ old: [RecordingDrawing], _ new: [RecordingDrawing]) -> [RecordingChange] {
        let shorter = min(old.count, new.count)
        var head = 0
        while head < shorter, old[head] == new[head] { head += 1 }
        var tail = 0
        while tail < shorter - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
        return [
            RecordingChange(
                index: head, removed: old.count - head - tail, drawings: Array(new[head..<(new.count - tail)]))
        ]
    }

    /// False, and the list as it was, where the change does not fit it.
    package func apply(to drawings: inout [RecordingDrawing]) -> Bool {
        guard index >= 0, removed >= 0, index <= drawings.count, removed <= drawings.count - index else { return false }
        drawings.replaceSubrange(index..<(index + removed), with: self.drawings)
        return true
    }
}
