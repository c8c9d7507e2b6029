// SPDX-License-Identifier: Apache-2.0
import Vaka
import VakaModel
import VakaObservation

/// What a recorder knows at one moment.
struct RecorderState {
    var host: (any ObservationHost)?
    var link: RecordingLink?
    /// Nil while nothing is recorded.
    var capture: RecordingCapture?
    /// Not begun anew with each recording: what was spent stays spent.
    var schedule = CaptureSchedule()
    /// The capture that the host is being asked for, and since when; nil while it is not.
    private(set) var asked: (number: Int, since: Duration)?
    private var captures = 0
    /// When the next frame is to be looked for.
    var planned: Duration?
    var isNewScreen = true
    /// As the program said last.
    var screenName: String?
    /// The user when the host was asked.
    var user: [String: JSONValue]?
    /// A screen that is to be masked was named when the host was asked, or since.
    var isMasked = false
    /// As the host said with the last frame.
    var lastScreen: String?

    /// Whether the settings mask one of these screens.
    func masks(_ names: String?...) -> Bool {
        guard let masked = capture?.settings.maskedScreens, !masked.isEmpty else { return false }
        return names.contains { $0.map(masked.contains) ?? false }
    }

    /// A capture begins: its number.
    mutating func ask(at time: Duration) -> Int {
        captures += 1
        asked = (captures, time)
        return captures
    }

    /// False where nothing is waited for under that number any more.
    mutating func answered(_ number: Int) -> Bool {
        guard asked?.number == number else { return false }
        asked = nil
        return true
    }

    /// What the host answers is not waited for any more: a host may never answer.
    mutating func forgetAsked(at time: Duration) {
        guard let asked else { return }
        schedule.end(from: max(asked.since, time - CaptureBudget.limit), to: time)
        self.asked = nil
    }

    mutating func endCapture(at time: Duration) -> RecordingCapture? {
        forgetAsked(at: time)
        defer { capture = nil }
        return capture
    }
}
