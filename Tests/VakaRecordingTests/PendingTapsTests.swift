// SPDX-License-Identifier: Apache-2.0
import Testing
import VakaModel
import VakaObservation

@testable import VakaRecording

/// A tap is told when nothing masked was at its place, before it and after it.
@Suite struct PendingTapsTests {
    /// By reference, so that it can be changed where it is expected of.
    private final class Taps {
        private var taps = PendingTaps()

        func add(_ point: ScreenPoint, at uptime: Duration) -> Bool { taps.add(point, at: uptime) }
        func decide(_ screen: RecordedScreen, _ bounds: ElementBounds, from start: Duration, to end: Duration)
            -> [PendingTap]
        { taps.decide(screen, bounds, from: start, to: end) }
        func forgetScreen() { taps.forgetScreen() }
        func takeWithheld() -> Int { taps.takeWithheld() }
    }

    private static let bounds = ElementBounds(x: 0, y: 0, width: 100, height: 100)
    private static let point = ScreenPoint(x: 15, y: 15)

    private static func screen(masked: Bool) -> RecordedScreen {
        let element = Element(
            id: "e", role: .text, bounds: ElementBounds(x: 10, y: 10, width: 20, height: 20),
            privacy: masked ? .masked : .inherited)
        return ScreenReading.read(
            ElementTree(bounds: bounds, elements: [element]), privacy: .all, quality: .high)
    }

    private var open: RecordedScreen { Self.screen(masked: false) }
    private var masked: RecordedScreen { Self.screen(masked: true) }

    /// Taps over a screen that shows nothing masked.
    private func taps() -> Taps {
        let taps = Taps()
        _ = taps.decide(open, Self.bounds, from: .zero, to: .seconds(1))
        return taps
    }

    @Test func aScreenDecidesAboutTheTapsBeforeItAlone() {
        let taps = self.taps()
        let times = [Duration.seconds(2), .seconds(4)]
        for time in times { #expect(taps.add(Self.point, at: time)) }
        // The host was asked between them.
        let first = taps.decide(open, Self.bounds, from: .seconds(3), to: .seconds(5))
        #expect(first.map(\.uptime) == [.seconds(2)])
        // What the other one was on is seen only now.
        #expect(taps.decide(masked, Self.bounds, from: .seconds(6), to: .seconds(7)).isEmpty)
        #expect(taps.takeWithheld() == 1 && taps.takeWithheld() == 0)
    }

    @Test func aTapDuringACaptureMustBeClearInItAndInTheNext() {
        for (during, after, told) in [(open, open, 1), (masked, open, 0), (open, masked, 0)] {
            let taps = self.taps()
            #expect(taps.add(Self.point, at: .seconds(4)))
            #expect(taps.decide(during, Self.bounds, from: .seconds(3), to: .seconds(5)).isEmpty)
            #expect(taps.decide(after, Self.bounds, from: .seconds(6), to: .seconds(7)).count == told)
            #expect(taps.takeWithheld() == 1 - told)
        }
    }

    /// However odd the bounds are that a host gives what is masked.
    @Test(arguments: [
        ElementBounds(x: 0, y: -1_500_000, width: 100, height: 3_000_000),
        ElementBounds(x: -.infinity, y: 0, width: .infinity, height: 100),
        ElementBounds(x: 20, y: 20, width: -10, height: -10), ElementBounds(x: 10, y: 10, width: .nan, height: 10),
        ElementBounds(x: .nan, y: 10, width: 10, height: 10),
    ]) func aTapOnMaskedContentOfOddBoundsIsWithheld(bounds: ElementBounds) {
        let element = Element(id: "e", role: .text, bounds: bounds, privacy: .masked)
        let screen = ScreenReading.read(
            ElementTree(bounds: Self.bounds, elements: [element]), privacy: .none, quality: .high)
        let taps = Taps()
        _ = taps.decide(screen, Self.bounds, from: .zero, to: .seconds(1))
        #expect(!taps.add(Self.point, at: .seconds(2)))
        let late = self.taps()
        #expect(late.add(Self.point, at: .seconds(2)))
        #expect(late.decide(screen, Self.bounds, from: .seconds(3), to: .seconds(4)).isEmpty)
    }

    @Test func aTapOnWhatIsNotKnownIsWithheld() {
        let taps = Taps()
        #expect(!taps.add(Self.point, at: .seconds(1)))
        _ = taps.decide(open, Self.bounds, from: .seconds(2), to: .seconds(3))
        // Late: of the screen before it nothing is known any more.
        #expect(!taps.add(Self.point, at: .seconds(2)))
        #expect(!taps.add(ScreenPoint(x: .nan, y: 15), at: .seconds(4)))
        #expect(taps.add(Self.point, at: .seconds(4)))
        taps.forgetScreen()
        #expect(!taps.add(Self.point, at: .seconds(5)))
        #expect(taps.decide(open, Self.bounds, from: .seconds(6), to: .seconds(7)).isEmpty)
        #expect(taps.takeWithheld() == 5)
    }

    @Test func aWindowThatMovedTakesItsTapsAlong() {
        let taps = self.taps()
        for time in [Duration.seconds(2), .seconds(4)] { #expect(taps.add(Self.point, at: time)) }
        let moved = ElementBounds(x: 5, y: 0, width: 100, height: 100)
        #expect(taps.decide(open, moved, from: .seconds(3), to: .seconds(5)).isEmpty)
        #expect(taps.takeWithheld() == 2)
    }
}
