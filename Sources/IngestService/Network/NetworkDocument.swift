// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

extension NetworkColumn {
    /// In answers.
    var outputName: String { self == .protocolName ? "protocol" : rawValue }

    /// As answers have it; null where it is not known.
    func value(in record: NetworkRequestEvent) -> JSONValue {
        switch self {
        case .timestamp: .string(record.timestamp.description)
        case .url: .string(record.url)
        case .method: .string(record.method)
        case .requestId: Self.text(record.requestID)
        case .connectionId: Self.text(record.connectionID)
        case .direction: Self.text(record.direction?.rawValue)
        case .protocolName: Self.text(record.protocolName)
        case .metadata: record.metadata.map { .object($0) } ?? .null
        case .sequenceNumber: record.sequenceNumber.map { .integer($0) } ?? .null
        case .requestHeaders: Self.texts(record.requestHeaders)
        case .requestBodySize: .integer(record.requestBodySize ?? NetworkDefault.bodySize)
        case .statusCode: .integer(Int64(record.statusCode ?? NetworkDefault.status))
        case .responseHeaders: Self.texts(record.responseHeaders)
        case .responseBodySize: .integer(record.responseBodySize ?? NetworkDefault.bodySize)
        case .durationMs: .number(record.durationMilliseconds ?? NetworkDefault.duration)
        case .error: Self.text(record.error)
        case .host: Self.text(record.host)
        case .path: Self.text(record.path)
        case .requestBody: Self.text(record.requestBody)
        case .responseBody: Self.text(record.responseBody)
        case .contentType: Self.text(record.contentType)
        }
    }

    private static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    private static func texts(_ texts: [String: String]?) -> JSONValue {
        texts.map { .object($0.mapValues { .string($0) }) } ?? .null
    }

    /// Of a value in answers.
    var shape: JSONValue {
        switch self {
        case .timestamp: Shape.time
        case .url, .method: Shape.text
        case .metadata, .requestHeaders, .responseHeaders: Shape.orNull(Shape.anyObject)
        case .sequenceNumber: Shape.orNull(Shape.integer)
        case .requestBodySize, .responseBodySize, .statusCode: Shape.integer
        case .durationMs: Shape.number
        default: Shape.orNull(Shape.text)
        }
    }
}

/// A network record in answers: what it was sent under, and what the service knows of it.
enum NetworkDocument {
    static func summary(_ exchange: StoredExchange) -> JSONValue {
        document(exchange, NetworkColumn.allCases.filter(\.isOfSummary))
    }

    static func detail(_ exchange: StoredExchange) -> JSONValue { document(exchange, NetworkColumn.allCases) }

    private static func document(_ exchange: StoredExchange, _ columns: [NetworkColumn]) -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .integer(exchange.id), "phase": .string(exchange.phase.rawValue), "site": .string(exchange.site),
            "route": .string(exchange.route), "receivedAt": .string(exchange.receivedAt.description),
            "installId": exchange.installID.map { .string($0) } ?? .null,
        ]
        for column in columns { members[column.outputName] = column.value(in: exchange.record) }
        return .object(members)
    }

    static let summarySchema = schema(NetworkColumn.allCases.filter(\.isOfSummary))
    static let detailSchema = schema(NetworkColumn.allCases)

    private static func schema(_ columns: [NetworkColumn]) -> JSONValue {
        var fields: [String: JSONValue] = [
            "id": Shape.integer, "phase": Shape.text, "site": Shape.text, "route": Shape.text, "receivedAt": Shape.time,
            "installId": Shape.orNull(Shape.text),
        ]
        for column in columns { fields[column.outputName] = column.shape }
        return Shape.object(fields)
    }
}
