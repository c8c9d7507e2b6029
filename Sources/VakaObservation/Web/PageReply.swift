// SPDX-License-Identifier: Apache-2.0

/// What a page's message is answered with.
public enum PageReply: Hashable, Sendable {
    /// It was taken; there is nothing to do.
    case taken
    /// Something to do, as JSON for the script.
    case command([UInt8])
    /// It is none of the messages, or not the main frame's.
    case refused
    /// The page's origin is not allowed.
    case disallowedOrigin
    /// It is longer than the policy lets it be.
    case tooLarge
    /// The document was left, or the web view is gone: the script is to begin anew under another name, if the page lives.
    case gone
}
