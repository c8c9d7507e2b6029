// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import VakaModel

extension NetworkColumn {
    /// Puts what a row has at `place` into the record.
    func read(_ row: SQLRow, _ place: Int32, into record: inout NetworkRequestEvent) {
        switch self {
        case .timestamp: record.timestamp = row.time(place)
        case .url: record.url = row.text(place)
        case .method: record.method = row.text(place)
        case .requestId: record.requestID = row.optionalText(place)
        case .connectionId: record.connectionID = row.optionalText(place)
        case .direction: record.direction = row.optionalText(place).map { NetworkDirection(rawValue: $0) }
        case .protocolName: record.protocolName = row.optionalText(place)
        case .metadata: record.metadata = Self.value(row, place)
        case .sequenceNumber: record.sequenceNumber = row.isNull(place) ? nil : row.integer(place)
        case .requestHeaders: record.requestHeaders = Self.value(row, place)
        case .requestBodySize: record.requestBodySize = row.integer(place)
        case .statusCode: record.statusCode = row.int(place)
        case .responseHeaders: record.responseHeaders = Self.value(row, place)
        case .responseBodySize: record.responseBodySize = row.integer(place)
        case .durationMs: record.durationMilliseconds = row.number(place)
        case .error: record.error = row.optionalText(place)
        case .host: record.host = row.optionalText(place)
        case .path: record.path = row.optionalText(place)
        case .requestBody: record.requestBody = row.optionalText(place).map(BodyText.bounded)
        case .responseBody: record.responseBody = row.optionalText(place).map(BodyText.bounded)
        case .contentType: record.contentType = row.optionalText(place)
        }
    }

    private static func value<Value: Decodable>(_ row: SQLRow, _ place: Int32) -> Value? {
        row.optionalText(place).flatMap { try? ModelCoding.decode(Value.self, from: Data($0.utf8)) }
    }
}

/// How much of a body is read.
package enum BodyText {
    /// UTF-16 units.
    package static let longest = 10_240

    /// The beginning of a text, of at most so many units. No character is cut in two.
    package static func bounded(_ text: String) -> String {
        guard text.utf8.count > longest, text.utf16.count > longest else { return text }
        var units = 0
        var bounded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            units += UTF16.width(scalar)
            guard units <= longest else { break }
            bounded.append(scalar)
        }
        return String(bounded)
    }
}
