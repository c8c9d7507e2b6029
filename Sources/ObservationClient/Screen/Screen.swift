// SPDX-License-Identifier: Apache-2.0
public import VakaModel

/// What is on a screen, of both sides.
public struct Screen: Codable, Hashable, Sendable {
    public var root: ScreenNode
    /// Which side told of the program; nil where nobody asked a bridge.
    public var backend: Backend?
    /// Why the bridge did not, where it is registered.
    public var fallbackReason: FallbackReason?
    /// The bridge's capture in it.
    public var captureIdentity: CaptureIdentity?

    /// Whether the program's bridge told of anything here.
    public var hasBridgeNodes: Bool { root.all.contains { $0.bridge != nil } }
}
