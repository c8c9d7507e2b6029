// SPDX-License-Identifier: Apache-2.0

/// What actions of all kinds are written with.
struct ObservationActionParts: Codable {
    var observationIdentity: CaptureIdentity
    var elementId: String?
    var text: String?
    var delta: ScreenPoint?
    var start: ScreenPoint?
    var end: ScreenPoint?
    var durationMs: Int?

    init(_ action: ObservationAction) {
        observationIdentity = action.observationIdentity
        elementId = action.elementId
        switch action {
        case .tap, .clearText: break
        case .longPress(_, _, let duration): durationMs = duration
        case .insertText(_, _, let typed): text = typed
        case .scroll(_, _, let distance): delta = distance
        case .swipe(_, let from, let to, let duration):
            start = from
            end = to
            durationMs = duration
        }
    }

    /// Nil where something is missing, or beyond the bounds.
    func action(_ kind: ObservationActionKind) -> ObservationAction? {
        if kind == .swipe {
            guard let start, let end, let duration, start.isSound, end.isSound else { return nil }
            return .swipe(observationIdentity: observationIdentity, start: start, end: end, durationMs: duration)
        }
        guard let elementId, elementId.utf8.count <= ObservationAction.longestElementId else { return nil }
        switch kind {
        case .tap: return .tap(observationIdentity: observationIdentity, elementId: elementId)
        case .clearText: return .clearText(observationIdentity: observationIdentity, elementId: elementId)
        case .longPress:
            return duration.map {
                .longPress(observationIdentity: observationIdentity, elementId: elementId, durationMs: $0)
            }
        case .insertText:
            guard let text, text.utf8.count <= ObservationAction.longestText else { return nil }
            return .insertText(observationIdentity: observationIdentity, elementId: elementId, text: text)
        case .scroll:
            guard let delta, delta.isSound else { return nil }
            return .scroll(observationIdentity: observationIdentity, elementId: elementId, delta: delta)
        case .swipe: return nil
        }
    }

    private var duration: Int? {
        durationMs.flatMap { (0...ObservationAction.longestDurationMs).contains($0) ? $0 : nil }
    }
}
