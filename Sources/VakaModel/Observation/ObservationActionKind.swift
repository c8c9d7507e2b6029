// SPDX-License-Identifier: Apache-2.0

/// The kinds of actions.
public enum ObservationActionKind: String, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case clearText
    case insertText
    case longPress
    case scroll
    case swipe
    case tap

    /// By name.
    public static func < (left: ObservationActionKind, right: ObservationActionKind) -> Bool {
        left.rawValue < right.rawValue
    }
}
