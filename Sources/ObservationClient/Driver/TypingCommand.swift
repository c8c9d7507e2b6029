// SPDX-License-Identifier: Apache-2.0

/// One step of typing.
public enum TypingCommand: Hashable, Sendable {
    /// Types at the caret.
    case type(String)
    /// Empties the field.
    case clear
    /// Empties the field and types.
    case replace(String)
    /// Presses a key; the field that was typed into is forgotten then, for the focus may be elsewhere.
    case press(KeyboardKey)
}
