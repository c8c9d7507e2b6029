// SPDX-License-Identifier: Apache-2.0
public import VakaModel

/// A key that does something else than typing: those of an input method, and Tab.
public struct KeyboardKey: OpenEnum {
    /// The word, as it is written.
    public let rawValue: String
    /// A word of one's own.
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let done = KeyboardKey(rawValue: "done")
    public static let go = KeyboardKey(rawValue: "go")
    public static let search = KeyboardKey(rawValue: "search")
    public static let send = KeyboardKey(rawValue: "send")
    public static let next = KeyboardKey(rawValue: "next")
    public static let tab = KeyboardKey(rawValue: "tab")
}
