// SPDX-License-Identifier: Apache-2.0

/// One thing to do on a screen. Each names the capture that it goes by.
///
/// Written as an object of one key, the kind: `{"tap":{"observationIdentity":"41","elementId":"submit"}}`.
public enum ObservationAction: Hashable, Sendable {
    case tap(observationIdentity: CaptureIdentity, elementId: String)
    case longPress(observationIdentity: CaptureIdentity, elementId: String, durationMs: Int)
    /// Types at the caret.
    case insertText(observationIdentity: CaptureIdentity, elementId: String, text: String)
    case clearText(observationIdentity: CaptureIdentity, elementId: String)
    /// Changes what the element shows of its content by `delta`: a positive y goes further down in it.
    case scroll(observationIdentity: CaptureIdentity, elementId: String, delta: ScreenPoint)
    /// A stroke over the screen.
    case swipe(observationIdentity: CaptureIdentity, start: ScreenPoint, end: ScreenPoint, durationMs: Int)

    /// The longest press or stroke, in milliseconds.
    public static let longestDurationMs = 60_000
    /// The longest text that is typed at once, in UTF-8 bytes.
    public static let longestText = 65_536
    /// The longest name of an element, in UTF-8 bytes.
    public static let longestElementId = 1024

    public var kind: ObservationActionKind {
        switch self {
        case .tap: .tap
        case .longPress: .longPress
        case .insertText: .insertText
        case .clearText: .clearText
        case .scroll: .scroll
        case .swipe: .swipe
        }
    }

    /// The capture that it goes by.
    public var observationIdentity: CaptureIdentity {
        switch self {
        case .tap(let identity, _), .longPress(let identity, _, _), .insertText(let identity, _, _),
            .clearText(let identity, _), .scroll(let identity, _, _), .swipe(let identity, _, _, _):
            identity
        }
    }

    /// The element that it is done to; nil for a swipe.
    public var elementId: String? {
        switch self {
        case .tap(_, let id), .longPress(_, let id, _), .insertText(_, let id, _), .clearText(_, let id),
            .scroll(_, let id, _):
            id
        case .swipe: nil
        }
    }
}

extension ObservationAction: Codable {
    /// Refuses kinds that it does not know, more than one of them, and what is beyond the bounds.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        guard container.allKeys.count == 1, let key = container.allKeys.first,
            let kind = ObservationActionKind(rawValue: key.stringValue)
        else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "an action is an object with one of the keys "
                        + ObservationActionKind.allCases.map(\.rawValue).joined(separator: ", ")))
        }
        let parts = try container.decode(ObservationActionParts.self, forKey: key)
        guard let action = parts.action(kind) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: container,
                debugDescription: "\(kind.rawValue) lacks what it needs, or it is beyond what is taken")
        }
        self = action
    }

    /// An object of one key.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ObservationActionKind.self)
        try container.encode(ObservationActionParts(self), forKey: kind)
    }
}

extension ObservationActionKind: CodingKey {}
