// SPDX-License-Identifier: Apache-2.0
public import VakaModel

/// What drives a screen from outside of its programs: through the window system, a test runner or a machine's input.
/// It does what a bridge cannot, or stands in for one.
public protocol FallbackExecutor {
    /// The whole screen as it is seen from outside. The program's own node is marked (`isApplication`).
    func hierarchy() throws -> ScreenNode
    /// Taps at a place.
    func tap(at point: ScreenPoint) throws
    /// Taps twice.
    func doubleTap(at point: ScreenPoint) throws
    /// Presses for some milliseconds.
    func longPress(at point: ScreenPoint, durationMs: Int) throws
    /// Types where the focus is, at the caret.
    func type(_ text: String) throws
    /// Empties the field that has the focus.
    func clear() throws
    /// Presses a key where the focus is.
    func press(_ key: KeyboardKey) throws
    /// A stroke over the screen.
    func swipe(from start: ScreenPoint, to end: ScreenPoint, durationMs: Int) throws
    /// Whether the display is still the one that the last hierarchy showed; asked right before a stroke.
    func isDisplayUnchanged() -> Bool
}

extension FallbackExecutor {
    /// True: for machines with one display.
    public func isDisplayUnchanged() -> Bool { true }
}
