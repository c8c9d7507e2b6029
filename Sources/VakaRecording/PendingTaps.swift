// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// Taps of which it is not yet known whether they may be told: nothing masked may be there, in the frame before and in the one
/// after.
struct PendingTaps {
    static let most = 100

    private var taps: [PendingTap] = []
    /// Taps that are not told, and are not counted in a part yet.
    private(set) var withheld = 0
    /// The last frame, and since when it is known; nil while it is not known what is on the screen.
    private var last: (screen: RecordedScreen, uptime: Duration)?
    private var origin = ElementBounds.zero

    /// False where it is not kept: there are too many, or nothing is known of what it is on.
    mutating func add(_ point: ScreenPoint, at uptime: Duration) -> Bool {
        guard taps.count < Self.most, let last, uptime >= last.uptime, point.x.isFinite, point.y.isFinite else {
            withheld += 1
            return false
        }
        let place = TapPlace(
            x: ScreenReading.place(point.x - origin.x, 1), y: ScreenReading.place(point.y - origin.y, 1))
        if last.screen.withholds(place) {
            withheld += 1
            return false
        }
        taps.append(PendingTap(uptime: uptime, place: place))
        return true
    }

    /// The taps that may be told now: those from before the host was asked for this screen (`start`). It is known from `end` on.
    /// Of those that came meanwhile it is not known whether they came before or after what is seen here: it is asked of them
    /// as well, and the next screen decides.
    mutating func decide(_ screen: RecordedScreen, _ bounds: ElementBounds, from start: Duration, to end: Duration)
        -> [PendingTap]
    {
        let hasMoved = bounds.x != origin.x || bounds.y != origin.y
        let clear = hasMoved ? [] : taps.filter { !screen.withholds($0.place) }
        withheld += taps.count - clear.count
        taps = clear.filter { $0.uptime > start }
        last = (screen, end)
        origin = bounds
        return clear.filter { $0.uptime <= start }
    }

    /// It is not known any more what is on the screen: no tap that waits is told.
    mutating func forgetScreen() {
        withheld += taps.count
        taps = []
        last = nil
    }

    /// How many were not told since this was asked last.
    mutating func takeWithheld() -> Int {
        defer { withheld = 0 }
        return withheld
    }
}

/// A tap of which it is not yet known whether it may be told.
struct PendingTap: Hashable, Sendable {
    var uptime: Duration
    var place: TapPlace
}
