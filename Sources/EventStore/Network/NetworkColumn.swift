// SPDX-License-Identifier: Apache-2.0
package import VakaModel

/// The columns of a network record, by the keys under which they travel. The event's type and the schema's version have none:
/// they say how a record is read, and nothing of the exchange.
package enum NetworkColumn: String, CaseIterable, Sendable {
    case timestamp, url, method, requestId, connectionId, direction, protocolName, sequenceNumber, requestBodySize
    case statusCode, responseBodySize, durationMs, error, host, path, contentType
    // What may be large stands last, so that the others are read without it.
    case metadata, requestHeaders, responseHeaders, requestBody, responseBody

    /// Keys of the wire that are not stored.
    package static let unstored: Set<String> = ["eventType", "schemaVersion"]

    package var column: String {
        switch self {
        case .timestamp: "timestamp"
        case .url: "url"
        case .method: "method"
        case .requestId: "request_id"
        case .connectionId: "connection_id"
        case .direction: "direction"
        case .protocolName: "protocol"
        case .metadata: "metadata_json"
        case .sequenceNumber: "sequence_number"
        case .requestHeaders: "request_headers_json"
        case .requestBodySize: "request_body_size"
        case .statusCode: "status_code"
        case .responseHeaders: "response_headers_json"
        case .responseBodySize: "response_body_size"
        case .durationMs: "duration_ms"
        case .error: "error"
        case .host: "host"
        case .path: "path"
        case .requestBody: "request_body"
        case .responseBody: "response_body"
        case .contentType: "content_type"
        }
    }

    /// Read by the list, too: neither headers nor bodies nor their sizes.
    package var isOfSummary: Bool {
        switch self {
        case .requestHeaders, .responseHeaders, .requestBody, .responseBody, .requestBodySize, .responseBodySize: false
        default: true
        }
    }

    /// What is stored: where a number is absent, what stands for that.
    func value(of record: NetworkRequestEvent) throws(StoreError) -> SQLValue {
        switch self {
        case .timestamp: .time(record.timestamp)
        case .url: .text(record.url)
        case .method: .text(record.method)
        case .requestId: .optional(record.requestID.map(Self.bounded))
        case .connectionId: .optional(record.connectionID)
        case .direction: .optional(record.direction?.rawValue)
        case .protocolName: .optional(record.protocolName)
        case .metadata: .optional(try Self.text(record.metadata))
        case .sequenceNumber: record.sequenceNumber.map { .integer($0) } ?? .null
        case .requestHeaders: .optional(try Self.text(record.requestHeaders))
        case .requestBodySize: .integer(record.requestBodySize ?? NetworkDefault.bodySize)
        case .statusCode: .integer(Int64(record.statusCode ?? NetworkDefault.status))
        case .responseHeaders: .optional(try Self.text(record.responseHeaders))
        case .responseBodySize: .integer(record.responseBodySize ?? NetworkDefault.bodySize)
        case .durationMs: .number(record.knownDuration ?? NetworkDefault.duration)
        case .error: .optional(record.error)
        case .host: .optional(record.host)
        case .path: .optional(record.path)
        case .requestBody: .optional(record.requestBody)
        case .responseBody: .optional(record.responseBody)
        case .contentType: .optional(record.contentType)
        }
    }

    /// It is in an index.
    private static func bounded(_ id: String) -> String {
        String(String.UnicodeScalarView(id.unicodeScalars.prefix(NetworkDefault.longestID)))
    }

    private static func text(_ value: (some Encodable)?) throws(StoreError) -> String? {
        guard let value else { return nil }
        do {
            return String(decoding: try ModelCoding.encode(value), as: UTF8.self)
        } catch {
            throw StoreError(.failed, "a network record cannot be written: \(error)")
        }
    }
}

/// What is stored of a record that does not tell.
package enum NetworkDefault {
    package static let bodySize: Int64 = -1
    package static let status = 0
    package static let duration = 0.0
    package static let longestID = 200
}
