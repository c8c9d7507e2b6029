// SPDX-License-Identifier: Apache-2.0
import VakaModel

extension WebViewBridge.State {
    private static let leftKept = 16

    /// Goes on to a document, if it is another; false for one that was left, and when the web view is gone.
    mutating func enter(_ id: String) -> Bool {
        guard !isDetached, !left.contains(id) else { return false }
        if document?.id != id {
            let wasDisallowed = failure == .disallowedOrigin
            leaveDocument()
            document = WebDocument(id: id)
            // What the host said of the page is so until the page says otherwise.
            if wasDisallowed { failure = .disallowedOrigin }
        }
        processLives = true
        return true
    }

    /// What it showed is discarded, and what was to be done there ends.
    mutating func leaveDocument() {
        if let document { left = (left + [document.id]).suffix(Self.leftKept) }
        document = nil
        failure = nil
        commands.endAll()
    }

    /// Why an action cannot be done; nil where it can.
    func rejection(_ action: WebAction) -> WebRejection? {
        if !processLives || isDetached { return .webProcessUnavailable }
        if failure == .disallowedOrigin { return .disallowedOrigin }
        guard let document else { return .staleSnapshot }
        return document.rejection(action)
    }
}

extension WebViewPolicy {
    /// Whether pages of an address, or of an origin, may post.
    func allows(_ url: String) -> Bool {
        WebOrigin.of(url).map { allowedOrigins.contains($0) } ?? false
    }
}
