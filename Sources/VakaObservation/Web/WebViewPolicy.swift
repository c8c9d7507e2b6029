// SPDX-License-Identifier: Apache-2.0
internal import VakaModel

/// What a web view's bridge takes of a page.
public struct WebViewPolicy: Hashable, Sendable {
    /// Pages of these origins may post, such as `https://shop.example`; written as browsers write them. `null`, which files
    /// and sandboxed frames are of, is never allowed.
    public var allowedOrigins: Set<String>
    /// Elements of one snapshot; the rest is left out, and the snapshot says so.
    public var maxElements: Int
    /// What fields hold is not told. Passwords never are, nor what a page marks with `data-vaka-mask`.
    public var redactText: Bool
    /// The longest snapshot and the longest request for an action, in bytes; at most 4 MiB.
    public var maxMessageBytes: Int

    /// A policy. Origins are brought to the form of browsers; what is none is left out.
    public init(
        allowedOrigins: Set<String>, maxElements: Int = 500, redactText: Bool = true, maxMessageBytes: Int = 256 << 10
    ) {
        self.allowedOrigins = Set(allowedOrigins.compactMap { WebOrigin.of($0) })
        self.maxElements = min(max(1, maxElements), SnapshotLimits.elements)
        self.redactText = redactText
        self.maxMessageBytes = min(max(1024, maxMessageBytes), Self.longestMessage)
    }

    static let longestMessage = 4 << 20
}
