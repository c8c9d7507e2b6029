// SPDX-License-Identifier: Apache-2.0

/// What bounds are counted from.
public struct CoordinateSpace: OpenEnum {
    /// The word, as it is written.
    public let rawValue: String
    /// A word of one's own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The upper left corner of the screen: the only one in which a place is the same for every program.
    public static let screen = CoordinateSpace(rawValue: "screen")
    /// The window's corner, where a program does not know where its window is.
    public static let window = CoordinateSpace(rawValue: "window")
    /// The corner of a part of the window.
    public static let view = CoordinateSpace(rawValue: "view")
}
