// SPDX-License-Identifier: Apache-2.0
public import Vaka
public import VakaModel
public import VakaObservation

/// Records what a program shows, as drawings of its elements without what is masked, so that its people can replay what came
/// before a crash.
///
///     ScreenRecording.attach(host)    // the same that serves the observation bridge
///
/// Off, until the project's settings turn it on at the service: there is no switch here. docs/recording.md tells what is
/// recorded, what never is, and what it costs.
public enum ScreenRecording {
    private static let recorder = Recorder()

    /// The host whose elements are recorded from now on, in the place of one before. May come before `Vaka.start`. Any thread.
    public static func attach(_ host: any ObservationHost) {
        recorder.attach(host)
        RecordingLink.register(recorder)
    }

    /// Nothing is recorded from now on. Any thread.
    public static func detach() { recorder.attach(nil) }

    /// Says that the user tapped or clicked there, in points of the host's coordinate space. Told only when nothing masked was
    /// there, before and after. Any thread; returns at once.
    public static func tap(at point: ScreenPoint) { recorder.tap(at: point) }

    static func request() { recorder.request() }
}

extension Vaka {
    /// Records the screen after a change that the schedule would be late for, as soon as the budget allows. Does nothing before
    /// `start`, while the SDK is stopped, and while the host is not active. Any thread; returns at once.
    public static func requestScreenRecordingCapture() { ScreenRecording.request() }
}
