// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Where something masked is, to the point outward, from the corner that drawings are counted from. Never sent.
struct MaskedPlace: Hashable, Sendable {
    private let left: Double
    private let top: Double
    private let right: Double
    private let bottom: Double

    /// Nil where it cannot be known.
    init?(_ bounds: ElementBounds, from origin: ElementBounds) {
        guard !bounds.isUnknown, !origin.isUnknown else { return nil }
        left = (bounds.x - origin.x).rounded(.down)
        top = (bounds.y - origin.y).rounded(.down)
        right = (bounds.x - origin.x + bounds.width).rounded(.up)
        bottom = (bounds.y - origin.y + bounds.height).rounded(.up)
    }

    func holds(_ tap: TapPlace) -> Bool {
        let x = Double(tap.x)
        let y = Double(tap.y)
        return x >= left && x <= right && y >= top && y <= bottom
    }
}
