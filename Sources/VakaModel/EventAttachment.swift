// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// A file that belongs to an event; it travels as an item of its own.
public struct EventAttachment: Codable, Hashable, Sendable {
    public var eventID: String
    public var name: String
    public var contentType: String?
    /// Bytes of the whole.
    public var size: Int64
    /// Where in the whole `data` begins: what is too long loses its beginning.
    public var offset: Int64
    /// Nil where there is nothing; `missing` says why.
    @ExplicitNull public var data: Data?
    public var missing: String?

    public init(
        eventID: String, name: String, contentType: String? = nil, size: Int64, offset: Int64 = 0, data: Data?,
        missing: String? = nil
    ) {
        self.eventID = eventID
        self.name = name
        self.contentType = contentType
        self.size = size
        self.offset = offset
        self.data = data
        self.missing = missing
    }

    enum CodingKeys: String, CodingKey {
        case eventID = "event_id"
        case name
        case contentType = "content_type"
        case size, offset, data, missing
    }
}
