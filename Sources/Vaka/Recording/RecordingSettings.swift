// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// What the project wants of screen recordings, at one moment.
package struct RecordingSettings: Hashable, Sendable {
    /// Off, unless the service says otherwise.
    package var isOn = false
    package var privacy = RecordingPrivacy.all
    package var quality = RecordingQuality.medium
    /// Names of screens of which nothing is shown but that they were there.
    package var maskedScreens: Set<String> = []

    package init() {}
}

extension ServerSettings {
    /// Applied at once. A word that this version does not know masks what can be masked.
    var recording: RecordingSettings {
        var recording = RecordingSettings()
        recording.isOn = bool("screen_recording") ?? false
        let privacy = word("screen_recording_privacy").map { RecordingPrivacy(rawValue: $0) }
        recording.privacy = [.inputs, .none].first { $0 == privacy } ?? .all
        let quality = word("screen_recording_quality").map { RecordingQuality(rawValue: $0) }
        recording.quality = [.low, .high].first { $0 == quality } ?? .medium
        recording.maskedScreens = Set(words("screen_recording_masked_screens"))
        return recording
    }
}
