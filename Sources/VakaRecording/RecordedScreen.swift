// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// A screen as it may be recorded: nothing of what is masked is in it but the place. The drawings are what is told of it.
package struct RecordedScreen: Hashable, Sendable {
    package var width: Int32
    package var height: Int32
    /// From back to front.
    package var drawings: [RecordingDrawing] = []
    /// There was more than is recorded, and so maybe more that is masked.
    package var isTruncated = false
    /// Everything that is masked, what lies in masked elements too.
    var masked: [MaskedPlace] = []
    /// It is not known where all that is masked lies.
    var isMaskUnknown = false

    /// Whether both are drawn alike, whatever is masked where.
    func looks(like other: RecordedScreen) -> Bool {
        width == other.width && height == other.height && isTruncated == other.isTruncated
            && drawings == other.drawings
    }

    /// Whether a tap there is not to be told: on something masked, wherever it lies in the stack, or on a screen that is not
    /// wholly known.
    func withholds(_ tap: TapPlace) -> Bool {
        isTruncated || isMaskUnknown || masked.contains { $0.holds(tap) }
            || drawings.contains { drawing in
                drawing.marks.contains(.masked) && tap.x >= drawing.x && tap.y >= drawing.y
                    && tap.x - drawing.x <= drawing.width && tap.y - drawing.y <= drawing.height
            }
    }
}

/// Where a tap was, from the corner that drawings are counted from.
struct TapPlace: Hashable, Sendable {
    var x: Int32
    var y: Int32
}
