// SPDX-License-Identifier: Apache-2.0

/// One record of a network exchange: a whole one, or a step in the life of one.
///
/// Travels as the payload of an item of the kind `network`, and in an event as one of the last before it. Who makes it has
/// redacted it; coding changes no value.
public struct NetworkRequestEvent: Codable, Hashable, Sendable {
    /// What is written now. 0 is that of documents that tell no version.
    public static let currentSchemaVersion = 1
    public static let eventType = "network_request"

    /// Always `network_request`.
    public private(set) var eventType = Self.eventType
    public private(set) var schemaVersion = Self.currentSchemaVersion
    public var timestamp: Timestamp
    public var url: String
    public var method: String
    /// The same for every record of an exchange.
    public var requestID: String?
    /// The same for every exchange of a connection.
    public var connectionID: String?
    public var direction: NetworkDirection?
    public var protocolName: String?
    /// Names with a meaning are in `NetworkMetadata`.
    public var metadata: [String: JSONValue]?
    /// Counts the records of a recorder: the order in which things happened, whoever delivered them.
    public var sequenceNumber: Int64?
    public var requestHeaders: [String: String]?
    /// Bytes, of the whole body, however much of it is kept.
    public var requestBodySize: Int64?
    public var statusCode: Int?
    public var responseHeaders: [String: String]?
    public var responseBodySize: Int64?
    /// Milliseconds.
    public var durationMilliseconds: Double?
    public var error: String?
    public var host: String?
    public var path: String?
    /// As much of the body as was captured, as a text.
    public var requestBody: String?
    public var responseBody: String?
    public var contentType: String?

    /// The rest is set afterwards.
    public init(timestamp: Timestamp, url: String, method: String, requestID: String? = nil) {
        self.timestamp = timestamp
        self.url = url
        self.method = method
        self.requestID = requestID
    }

    public init(from decoder: any Decoder) throws {
        self = try ModelCoding.read(Self.self, from: ModelCoding.encode(JSONValue(from: decoder)))
    }

    /// What of the exchange's life it tells. A record that does not say is of a whole exchange.
    public var phase: NetworkPhase {
        if let phase = metadata?[NetworkMetadata.phase]?.string { return NetworkPhase(rawValue: phase) }
        return error == nil ? .completed : .failed
    }

    /// Milliseconds: its own, or what the metadata tells; nil where neither is a finite number.
    public var knownDuration: Double? {
        if let durationMilliseconds, durationMilliseconds.isFinite { return durationMilliseconds }
        let number: Double? =
            switch metadata?[NetworkMetadata.duration] {
            case .integer(let value): Double(value)
            case .number(let value): value
            case .string(let text): Double(text)
            default: nil
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Every key that is written, in the order of the properties.
    public static var wireKeys: [String] { CodingKeys.allCases.map(\.rawValue) }

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case eventType, schemaVersion, timestamp, url, method
        case requestID = "requestId"
        case connectionID = "connectionId"
        case direction, protocolName, metadata, sequenceNumber, requestHeaders, requestBodySize, statusCode
        case responseHeaders, responseBodySize
        case durationMilliseconds = "durationMs"
        case error, host, path, requestBody, responseBody, contentType
    }

    /// For the decoder: a version that was accepted.
    mutating func set(schemaVersion version: Int) { schemaVersion = version }
}
