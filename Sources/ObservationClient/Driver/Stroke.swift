// SPDX-License-Identifier: Apache-2.0
public import VakaModel

/// A stroke over the screen.
public struct Stroke: Hashable, Sendable {
    public var start: ScreenPoint
    public var end: ScreenPoint
    /// Nil takes 300.
    public var durationMs: Int?
    /// It begins at the screen's edge, and means the system.
    public var isFromEdge: Bool
    /// It goes there and back again.
    public var isBoomerang: Bool

    /// From one place to another.
    public init(
        from start: ScreenPoint, to end: ScreenPoint, durationMs: Int? = nil, isFromEdge: Bool = false,
        isBoomerang: Bool = false
    ) {
        self.start = start
        self.end = end
        self.durationMs = durationMs
        self.isFromEdge = isFromEdge
        self.isBoomerang = isBoomerang
    }

    var time: Int { min(max(0, durationMs ?? 300), ObservationAction.longestDurationMs) }

    /// By how much what is shown of the content changes: upwards is further down in it.
    var delta: ScreenPoint { ScreenPoint(x: start.x - end.x, y: start.y - end.y) }
}
