// SPDX-License-Identifier: Apache-2.0

/// A place or a distance in points.
public struct ScreenPoint: Codable, Hashable, Sendable {
    /// To the right.
    public var x: Double
    /// Downwards.
    public var y: Double

    /// A place or a distance.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Whether both are numbers of at most a million points.
    var isSound: Bool { abs(x) <= 1e6 && abs(y) <= 1e6 }
}
