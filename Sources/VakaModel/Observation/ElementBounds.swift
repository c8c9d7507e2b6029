// SPDX-License-Identifier: Apache-2.0

/// A rectangle of the screen, the window or the page, in points (CSS pixels in a page): y grows downwards.
public struct ElementBounds: Codable, Hashable, Sendable {
    /// The left edge.
    public var x: Double
    /// The upper edge.
    public var y: Double
    /// Never below 0.
    public var width: Double
    /// Never below 0.
    public var height: Double

    /// What is no number becomes 0, and what is beyond a million points is cut to it: no host's slip makes a document
    /// that cannot be read.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = Self.bounded(x)
        self.y = Self.bounded(y)
        self.width = max(0, Self.bounded(width))
        self.height = max(0, Self.bounded(height))
    }

    /// No points at all.
    public static let zero = ElementBounds(x: 0, y: 0, width: 0, height: 0)

    /// Whether nothing can be seen of it.
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// Its middle, where a tap goes.
    public var center: ScreenPoint { ScreenPoint(x: x + width / 2, y: y + height / 2) }

    /// Whether the point is on it; the right and the lower edge are not.
    public func contains(_ point: ScreenPoint) -> Bool {
        point.x >= x && point.y >= y && point.x < x + width && point.y < y + height
    }

    /// What both have in common; nil where that is nothing.
    public func intersection(_ other: ElementBounds) -> ElementBounds? {
        let left = max(x, other.x)
        let top = max(y, other.y)
        let common = ElementBounds(
            x: left, y: top, width: min(x + width, other.x + other.width) - left,
            height: min(y + height, other.y + other.height) - top)
        return common.isEmpty ? nil : common
    }

    private static func bounded(_ value: Double) -> Double { value.isNaN ? 0 : min(max(value, -1e6), 1e6) }

    /// Reads what the initializer takes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            x: try container.decode(Double.self, forKey: .x), y: try container.decode(Double.self, forKey: .y),
            width: try container.decode(Double.self, forKey: .width),
            height: try container.decode(Double.self, forKey: .height))
    }

    private enum CodingKeys: String, CodingKey { case x, y, width, height }
}
