// SPDX-License-Identifier: Apache-2.0
import Vaka
import VakaObservation

/// What a recorder knows at one moment.
struct RecorderState {
    var host: (any ObservationHost)?
    var link: RecordingLink?
    /// Nil while nothing is recorded.
    var capture: RecordingCapture?
    /// Not begun anew with each recording: what was spent stays spent.
    var schedule = CaptureSchedule()
    /// The host is being asked.
    var isCapturing = false
    /// When the next frame is to be looked for.
    var planned: Duration?
    var isNewScreen = true
    /// As the program said last.
    var screenName: String?
    /// A screen that is to be masked was named when the host was asked, or since.
    var isMasked = false
    /// As the host said with the last frame.
    var lastScreen: String?

    /// Whether the settings mask one of these screens.
    func masks(_ names: String?...) -> Bool {
        guard let masked = capture?.settings.maskedScreens, !masked.isEmpty else { return false }
        return names.contains { $0.map(masked.contains) ?? false }
    }

    mutating func endCapture() -> RecordingCapture? {
        defer { capture = nil }
        return capture
    }
}
