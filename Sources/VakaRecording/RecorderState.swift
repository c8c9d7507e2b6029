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
    /// As the host said with the last frame.
    var lastScreen: String?

    mutating func endCapture() -> RecordingCapture? {
        defer { capture = nil }
        return capture
    }
}
