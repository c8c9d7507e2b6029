// SPDX-License-Identifier: Apache-2.0

/// A tap, or a click, on nothing that is masked.
public struct RecordingTap: Codable, Hashable, Sendable {
    /// Milliseconds since the part began.
    public var at: Int
    /// In points, from the corner that drawings are counted from.
    public var x: Int32
    public var y: Int32

    /// A tap.
    public init(at: Int, x: Int32, y: Int32) {
        self.at = at
        self.x = x
        self.y = y
    }
}
