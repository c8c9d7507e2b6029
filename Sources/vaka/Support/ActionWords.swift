// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// An action as it is written in the command's arguments.
struct ActionWords {
    private let kind: String
    private let words: [String]

    init(_ arguments: [String]) {
        kind = arguments.first ?? ""
        words = Array(arguments.dropFirst())
    }

    func action(_ identity: CaptureIdentity, _ duration: Int?) throws -> ObservationAction {
        switch kind {
        case "tap": return .tap(observationIdentity: identity, elementId: try take(1)[0])
        case "long-press":
            return .longPress(observationIdentity: identity, elementId: try take(1)[0], durationMs: duration ?? 1000)
        case "insert-text":
            let words = try take(2)
            return .insertText(observationIdentity: identity, elementId: words[0], text: try bounded(words[1]))
        case "clear-text": return .clearText(observationIdentity: identity, elementId: try take(1)[0])
        case "scroll":
            let words = try take(3)
            return .scroll(observationIdentity: identity, elementId: words[0], delta: try point(words[1], words[2]))
        case "swipe":
            let words = try take(4)
            return .swipe(
                observationIdentity: identity, start: try point(words[0], words[1]), end: try point(words[2], words[3]),
                durationMs: duration ?? 300)
        case "": throw UsageError("act: which action? vaka act --help lists them")
        default: throw UsageError("act: there is no action \"\(kind)\"; vaka act --help lists them")
        }
    }

    func webAction(_ snapshotId: String) throws -> WebAction {
        let kinds: [String: WebAction.Kind] = [
            "click": .click, "focus": .focus, "insert-text": .insertText, "select": .select, "scroll": .scroll,
            "set-value": .setValue, "clear": .clear, "scroll-into-view": .scrollIntoView, "submit": .submit,
        ]
        guard let kind = kinds[self.kind] else {
            throw UsageError("act: a page has no action \"\(self.kind)\"; vaka act --help lists them")
        }
        let action: WebAction?
        switch kind {
        case .insertText, .select, .setValue:
            let words = try take(2)
            action = WebAction(kind, snapshotId: snapshotId, elementId: words[0], text: words[1])
        case .scroll:
            let words = try take(3)
            action = WebAction(
                kind, snapshotId: snapshotId, elementId: words[0], delta: try point(words[1], words[2]))
        default: action = WebAction(kind, snapshotId: snapshotId, elementId: try take(1)[0])
        }
        guard let action else { throw UsageError("act: that is longer than an action may be") }
        return action
    }

    private func take(_ count: Int) throws -> [String] {
        guard words.count == count else {
            throw UsageError("act: \(kind) takes \(count) argument\(count == 1 ? "" : "s"), not \(words.count)")
        }
        guard words[0].utf8.count <= ObservationAction.longestElementId else {
            throw UsageError("act: no element has a name that long")
        }
        return words
    }

    private func bounded(_ text: String) throws -> String {
        guard text.utf8.count <= ObservationAction.longestText else {
            throw UsageError("act: at most \(ObservationAction.longestText) bytes are typed at once")
        }
        return text
    }

    private func point(_ x: String, _ y: String) throws -> ScreenPoint {
        guard let x = Double(x), let y = Double(y), abs(x) <= 1e6, abs(y) <= 1e6 else {
            throw UsageError("act: \(kind) takes numbers of points, not \"\(x)\" and \"\(y)\"")
        }
        return ScreenPoint(x: x, y: y)
    }
}
