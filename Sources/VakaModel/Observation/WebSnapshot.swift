// SPDX-License-Identifier: Apache-2.0

/// What a page showed at one moment, as far as its web view's policy lets it be told.
public struct WebSnapshot: Codable, Hashable, Sendable {
    public var schemaVersion: Int
    /// Names it: actions say which one they go by.
    public var snapshotId: String
    /// Names the document that posted it: elements' ids begin anew in each.
    public var documentId: String?
    /// Without user, password, query and fragment.
    public var url: String
    public var origin: String?
    public var viewport: WebViewport?
    public var elements: [WebElement]
    /// The page had more.
    public var truncated: Bool?

    /// A snapshot; a web view's bridge makes them.
    public init(
        snapshotId: String, documentId: String?, url: String, origin: String?, viewport: WebViewport?,
        elements: [WebElement], truncated: Bool = false
    ) {
        schemaVersion = ObservationSnapshot.schemaVersion
        self.snapshotId = snapshotId
        self.documentId = documentId
        self.url = url
        self.origin = origin
        self.viewport = viewport
        self.elements = elements
        self.truncated = truncated ? true : nil
    }
}
