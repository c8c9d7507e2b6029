// SPDX-License-Identifier: Apache-2.0

/// One thing to do with an element of a page. There is none that runs a script.
///
/// Written as an object of one key: `{"setValue":{"snapshotId":"s1","elementId":"e4","text":"hi"}}`.
public struct WebAction: Hashable, Sendable {
    /// What is done.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable, CodingKey {
        case click
        case focus
        /// Types at the end of what the field holds.
        case insertText
        /// Chooses the option of this value or label.
        case select
        case scroll
        /// Replaces what the field holds.
        case setValue
        case clear
        case scrollIntoView
        /// Sends the form that the element is in.
        case submit
    }

    public var kind: Kind
    public var snapshotId: String
    public var elementId: String
    /// For `insertText`, `setValue` and `select`.
    public var text: String?
    /// For `scroll`.
    public var delta: ScreenPoint?

    /// An action; nil where it lacks what its kind needs, or is beyond what is taken.
    public init?(
        _ kind: Kind, snapshotId: String, elementId: String, text: String? = nil, delta: ScreenPoint? = nil
    ) {
        let wantsText = [.insertText, .select, .setValue].contains(kind)
        guard wantsText == (text != nil), (kind == .scroll) == (delta != nil), delta?.isSound ?? true,
            text?.utf8.count ?? 0 <= ObservationAction.longestText,
            snapshotId.utf8.count <= ObservationAction.longestElementId,
            elementId.utf8.count <= ObservationAction.longestElementId
        else { return nil }
        self.kind = kind
        self.snapshotId = snapshotId
        self.elementId = elementId
        self.text = text
        self.delta = delta
    }
}

extension WebAction: Codable {
    private struct Parts: Codable {
        var snapshotId: String
        var elementId: String
        var text: String?
        var delta: ScreenPoint?
    }

    /// Refuses kinds that it does not know, more than one of them, and what is beyond the bounds.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        guard container.allKeys.count == 1, let key = container.allKeys.first,
            let kind = Kind(rawValue: key.stringValue)
        else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "a web view's action is an object with one of the keys "
                        + Kind.allCases.map(\.rawValue).joined(separator: ", ")))
        }
        let parts = try container.decode(Parts.self, forKey: key)
        guard
            let action = WebAction(
                kind, snapshotId: parts.snapshotId, elementId: parts.elementId, text: parts.text, delta: parts.delta)
        else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: container,
                debugDescription: "\(kind.rawValue) lacks what it needs, or it is beyond what is taken")
        }
        self = action
    }

    /// An object of one key.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        try container.encode(
            Parts(snapshotId: snapshotId, elementId: elementId, text: text, delta: delta), forKey: kind)
    }
}
