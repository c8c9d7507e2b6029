// SPDX-License-Identifier: Apache-2.0

/// The part of a page that is seen, in CSS pixels: what pinching and panning leave of its layout.
public struct WebViewport: Codable, Hashable, Sendable {
    /// Where it begins, from the corner that bounds are counted from.
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double

    /// A part of a page.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Numbers, of at most a million pixels, and with a width.
    public var isSound: Bool {
        [x, y, width, height].allSatisfy { abs($0) <= 1e6 } && width > 0 && height > 0
    }
}
