// SPDX-License-Identifier: Apache-2.0
public import VakaModel

/// An element of a screen as clients see it, whichever side told of it: the fallback's view of the whole screen, the
/// program's bridge, a page.
public struct ScreenNode: Codable, Hashable, Sendable {
    /// Where a node comes from, if not from the fallback.
    public struct Source: OpenEnum {
        /// The word, as it is written.
        public let rawValue: String
        /// A word of one's own.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The program's bridge.
        public static let bridge = Source(rawValue: "sdkBridge")
        /// A page's snapshot.
        public static let webBridge = Source(rawValue: "sdkWebBridge")
    }

    /// Which element of a bridge's capture it is.
    public struct BridgeIdentity: Codable, Hashable, Sendable {
        public var elementId: String
        public var capture: CaptureIdentity
    }

    /// Which element of a page's snapshot it is.
    public struct WebIdentity: Codable, Hashable, Sendable {
        public var webViewId: String
        public var snapshotId: String
        public var elementId: String
        /// The document that posted the snapshot.
        public var documentId: String?
        /// What the page says it is.
        public var role: String
        public var origin: String?
    }

    public var bounds: ElementBounds
    public var resourceId: String?
    public var testTag: String?
    /// What it is called.
    public var contentDescription: String?
    /// What it holds.
    public var text: String?
    /// Its role.
    public var role: ElementRole
    public var clickable: Bool
    public var enabled: Bool
    public var focused: Bool
    /// It holds something that is not told, and so cannot be compared with anything.
    public var valueRedacted: Bool?
    /// The program's own node in a fallback's tree: what the bridge tells goes in there.
    public var isApplication: Bool?
    public var source: Source?
    public var bridge: BridgeIdentity?
    public var web: WebIdentity?
    public var children: [ScreenNode]

    /// A node, as a fallback describes it.
    public init(
        bounds: ElementBounds, resourceId: String? = nil, contentDescription: String? = nil, text: String? = nil,
        role: ElementRole, clickable: Bool = false, enabled: Bool = true, focused: Bool = false,
        isApplication: Bool = false, children: [ScreenNode] = []
    ) {
        self.bounds = bounds
        self.resourceId = resourceId
        self.contentDescription = contentDescription
        self.text = text
        self.role = role
        self.clickable = clickable
        self.enabled = enabled
        self.focused = focused
        self.isApplication = isApplication ? true : nil
        self.children = children
    }

    /// It and all that is in it, from the front of the tree to its end.
    public var all: [ScreenNode] { [self] + children.flatMap(\.all) }

    /// Bounds in whole points, by which nodes of two sides are compared.
    var wholeBounds: [Int] {
        [bounds.x, bounds.y, bounds.width, bounds.height].map { Int($0.rounded(.towardZero)) }
    }
}
