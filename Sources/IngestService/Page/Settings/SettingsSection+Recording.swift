// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What programs record of their screens.
extension SettingsSection {
    static let recordingSwitch = "screen_recording"
    private static let privacy = "screen_recording_privacy"
    private static let quality = "screen_recording_quality"
    private static let maskedScreens = "screen_recording_masked_screens"

    static let recordingNames = [recordingSwitch, privacy, quality, maskedScreens]

    static func recordingFields(_ settings: [String: JSONValue]) -> [FormField] {
        func text(_ name: String) -> String { settings[name].map(ValueText.of) ?? "" }
        return [
            FormField(
                name: recordingSwitch, label: "Screen recording",
                kind: .choice([("", "off, as usual"), ("true", "on"), ("false", "off")]), value: text(recordingSwitch),
                hint: "Drawings of the screens of programs that can be observed. It begins and ends at once."),
            FormField(
                name: privacy, label: "Texts in recordings",
                kind: .choice([
                    ("", "none, as usual"), ("mask_all", "none"), ("mask_inputs", "all but what is typed"),
                    ("mask_none", "all"),
                ]), value: text(privacy),
                hint: "What is masked by the program, and passwords, keyboards, web views and videos are never shown."),
            FormField(
                name: quality, label: "Quality of recordings",
                kind: .choice([("", "medium, as usual"), ("low", "low"), ("medium", "medium"), ("high", "high")]),
                value: text(quality),
                hint: "How many elements of a screen are told, how much of their texts, and where."),
            FormField(
                name: maskedScreens, label: "Screens that are masked", kind: .lines,
                value: lines(settings[maskedScreens]).joined(separator: "\n"),
                hint: "Names of screens, one a line, of which nothing is shown.", placeholder: "checkout"),
        ]
    }
}
