// SPDX-License-Identifier: Apache-2.0

/// What a recording tells of texts and images that nothing masks or unmasks.
public struct RecordingPrivacy: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing: the boxes are drawn without texts.
    public static let all = RecordingPrivacy(rawValue: "mask_all")
    /// All but what is typed.
    public static let inputs = RecordingPrivacy(rawValue: "mask_inputs")
    /// Everything.
    public static let none = RecordingPrivacy(rawValue: "mask_none")
}

/// How much of a screen a recording keeps.
public struct RecordingQuality: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// 500 elements, texts of 40 bytes, places to eight points.
    public static let low = RecordingQuality(rawValue: "low")
    /// 2,000 elements, texts of 200 bytes, places to the point.
    public static let medium = RecordingQuality(rawValue: "medium")
    /// 5,000 elements, texts of 1,000 bytes, places to the point.
    public static let high = RecordingQuality(rawValue: "high")
}
