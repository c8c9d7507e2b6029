// SPDX-License-Identifier: Apache-2.0

/// What records the screen while the SDK runs. Called on any thread, with no lock held.
package protocol ScreenRecorder: AnyObject, Sendable {
    /// The SDK runs from here on, and has this for a recorder.
    func started(_ link: RecordingLink)
    /// The service may want something else.
    func settingsChanged(_ link: RecordingLink)
    /// The program shows another screen.
    func screenChanged(_ name: String, _ link: RecordingLink)
    /// Nothing is recorded when it returns; the last part went to the link.
    func stopped(_ link: RecordingLink)
    /// Forgets what was recorded; what comes next begins anew.
    func cleared(_ link: RecordingLink)
}
