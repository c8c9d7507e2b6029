// SPDX-License-Identifier: Apache-2.0

/// A rectangle of the screen, the window or the page, in points (CSS pixels in a page): y grows downwards.
public struct ElementBounds: Codable, Hashable, Sendable {
    /// The left edge.
    public private(set) var x: Double
    /// The upper edge.
    public private(set) var y: Double
    /// Never below 0.
    public private(set) var width: Double
    /// Never below 0.
    public private(set) var height: Double
    /// Something of what it was made of was no number: where it is cannot be known.
    package private(set) var isUnknown: Bool

    /// What is no number becomes 0, a size below 0 reaches the other way, and edges beyond a million points are cut to it: no
    /// host's slip makes a document that cannot be read.
    public init(x: Double, y: Double, width: Double, height: Double) {
        isUnknown = x.isNaN || y.isNaN || width.isNaN || height.isNaN
        (self.x, self.width) = Self.span(x, width)
        (self.y, self.height) = Self.span(y, height)
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
        let (right, bottom) = (min(x + width, other.x + other.width), min(y + height, other.y + other.height))
        guard right > left, bottom > top else { return nil }
        return ElementBounds(x: left, y: top, width: right - left, height: bottom - top)
    }

    private static func bounded(_ value: Double) -> Double { value.isNaN ? 0 : min(max(value, -1e6), 1e6) }

    private static func span(_ start: Double, _ length: Double) -> (start: Double, length: Double) {
        guard !start.isNaN, !length.isNaN else { return (bounded(start), max(0, bounded(length))) }
        // From one end of the plane to the other.
        guard !(start + length).isNaN else { return (-1e6, 2e6) }
        let (near, far) = (bounded(min(start, start + length)), bounded(max(start, start + length)))
        return (near, far - near)
    }

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
