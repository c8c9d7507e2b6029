// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
package import VakaModel

/// A part of a recording that grows.
package struct RecordingPart {
    /// A part is full when it has one of these, so that what a crash takes along and what is lost with a file stays small.
    private static let longest = 60_000
    private static let mostFrames = 60
    private static let mostBytes = 256 << 10
    /// All that wait for a frame find room.
    private static let mostTaps = RecordingLimits.taps - PendingTaps.most
    private static let mostDrawn = RecordingLimits.drawn - RecordingLimits.drawings

    package private(set) var recording: Recording
    /// Since when it lasts, by a clock that never goes back.
    let started: Duration
    private var screen: RecordedScreen?
    private var bytes = 0
    private var drawn = 0

    package init(_ recording: Recording, started: Duration) {
        self.recording = recording
        self.started = started
    }

    var isEmpty: Bool { recording.frames.isEmpty }
    var isFull: Bool {
        recording.duration >= Self.longest || recording.frames.count >= Self.mostFrames || bytes >= Self.mostBytes
            || drawn >= Self.mostDrawn || recording.taps.count >= Self.mostTaps
    }

    package func time(_ uptime: Duration) -> Int {
        Int(min(Double(RecordingLimits.duration), max(0, (uptime - started) / .milliseconds(1))))
    }

    /// Adds the screen, unless it shows the same as before. The frame as it is written; nil where there is none.
    package mutating func add(_ screen: RecordedScreen, at uptime: Duration, isNew: Bool) -> Data? {
        let at = max(time(uptime), recording.duration)
        recording.duration = at
        let changes = RecordingChange.between(self.screen?.drawings ?? [], screen.drawings)
            .filter { $0.removed > 0 || !$0.drawings.isEmpty }
        if let before = self.screen, !isNew, changes.isEmpty, before.looks(like: screen) { return nil }
        let frame = RecordingFrame(
            at: at, width: screen.width, height: screen.height, isNewScreen: isNew, isTruncated: screen.isTruncated,
            changes: changes)
        self.screen = screen
        recording.frames.append(frame)
        let json = (try? ModelCoding.write(frame)) ?? Data()
        bytes += json.count
        drawn += changes.reduce(0) { $0 + $1.drawings.count }
        return json
    }

    mutating func add(_ tap: PendingTap) -> RecordingTap {
        let at = min(time(tap.uptime), recording.duration)
        let told = RecordingTap(at: at, x: tap.place.x, y: tap.place.y)
        recording.taps.append(told)
        return told
    }

    mutating func withhold(_ count: Int) { recording.withheldTaps += count }
    mutating func end(at uptime: Duration) { recording.duration = max(recording.duration, time(uptime)) }
}
