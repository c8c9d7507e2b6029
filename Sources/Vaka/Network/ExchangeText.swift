// SPDX-License-Identifier: Apache-2.0
import CVakaCrash
import VakaModel

/// As much of a record as reports of a crash or an error take along, which fits a slot of the run file.
enum ExchangeText {
    private static let limit = Int(VAKA_CRASH_EXCHANGE_BYTES)

    /// What is kept of a record, and the same as JSON; nil where not even its least would fit.
    static func kept(of record: NetworkRequestEvent) -> (record: NetworkRequestEvent, json: [UInt8])? {
        for (address, word) in [(512, 128), (160, 48), (48, 16)] {
            let short = short(record, address: address, word: word)
            if let data = try? ModelCoding.encode(short), data.count <= limit { return (short, [UInt8](data)) }
        }
        return nil
    }

    /// Without headers, bodies and what else may be long.
    private static func short(_ record: NetworkRequestEvent, address: Int, word: Int) -> NetworkRequestEvent {
        var short = NetworkRequestEvent(
            timestamp: record.timestamp, url: cut(record.url, address), method: cut(record.method, 16),
            requestID: record.requestID.map { cut($0, word) })
        short.connectionID = record.connectionID.map { cut($0, word) }
        short.direction = record.direction
        short.protocolName = record.protocolName.map { cut($0, 16) }
        short.metadata = record.metadata?.filter { key, _ in key == NetworkMetadata.phase || key.hasPrefix("fault_") }
        short.sequenceNumber = record.sequenceNumber
        short.requestBodySize = record.requestBodySize
        short.statusCode = record.statusCode
        short.responseBodySize = record.responseBodySize
        short.durationMilliseconds = record.durationMilliseconds
        short.error = record.error.map { cut($0, word) }
        return short
    }

    /// At most so many bytes of UTF-8, of whole characters.
    private static func cut(_ text: String, _ limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: limit - 3)
        while String.Index(end, within: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return String(text[..<end]) + "…"
    }
}
