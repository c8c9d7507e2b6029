// SPDX-License-Identifier: Apache-2.0

/// The kind of a batch's item.
public struct ItemKind: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let event = ItemKind(rawValue: "event")
    public static let session = ItemKind(rawValue: "session")
    public static let screen = ItemKind(rawValue: "screen")
    public static let track = ItemKind(rawValue: "track")
    public static let clientReport = ItemKind(rawValue: "client_report")
    public static let attachment = ItemKind(rawValue: "attachment")
    public static let hangEnd = ItemKind(rawValue: "hang_end")
    /// A `NetworkRequestEvent`.
    public static let network = ItemKind(rawValue: "network")
    /// A `CapabilityReport`.
    public static let capabilities = ItemKind(rawValue: "capabilities")
    /// A `Recording`.
    public static let recording = ItemKind(rawValue: "recording")
}

/// One part of a batch. The id makes a repeated delivery harmless.
public struct BatchItem: Codable, Hashable, Sendable {
    public var kind: ItemKind
    public var id: String
    public var payload: JSONValue
    /// How many parts of the request's body belong to it, where the batch has some; see docs/protocol.md.
    public var parts: Int?

    public init(kind: ItemKind, id: String, payload: JSONValue) {
        self.kind = kind
        self.id = id
        self.payload = payload
    }

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case kind, id, payload, parts
    }
}

/// The sender.
public struct SDKInfo: Codable, Hashable, Sendable {
    public var name: String
    public var version: String

    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case name, version
    }
}

/// What is sent in one request.
public struct Batch: Codable, Hashable, Sendable {
    public static let schemaVersion = 1
    /// The media type of a body that has captured memory beside the text, and its first bytes.
    package static let partsMediaType = "application/vnd.vaka.batch"
    package static let partsMark: [UInt8] = [0x56, 0x4b, 0x42, 0x31]

    public var schemaVersion: Int
    public var sdk: SDKInfo
    /// Random, one for each installation.
    public var installID: String
    /// Counts the batches of an installation, so that gaps are seen.
    public var sequence: UInt64
    public var sentAt: Timestamp
    public var items: [BatchItem]

    public init(sdk: SDKInfo, installID: String, sequence: UInt64, sentAt: Timestamp, items: [BatchItem]) {
        schemaVersion = Self.schemaVersion
        self.sdk = sdk
        self.installID = installID
        self.sequence = sequence
        self.sentAt = sentAt
        self.items = items
    }

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case schemaVersion = "schema_version"
        case sdk
        case installID = "install_id"
        case sequence
        case sentAt = "sent_at"
        case items
    }
}
